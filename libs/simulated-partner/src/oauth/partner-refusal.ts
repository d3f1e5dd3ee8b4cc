/** A refusal of the partner's endpoints: 4XX with `{"error"}` (specification, Error body of the partner endpoints). */
export class PartnerRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
  ) {
    super(error);
  }
}
