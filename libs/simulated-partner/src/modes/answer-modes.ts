import { Answer, Delivery, Mode, ModeGroup } from './mode';

type AnswerMode = Extract<Mode, { kind: 'answer' }>;

/** The fields of a JSON answer. */
export type Fields = Readonly<Record<string, unknown>>;

const whole: Delivery = { kind: 'whole' };

/** An answer with a JSON body. */
export function jsonAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Makes the modes of a group whose success has other fields; `undefined` leaves a field out. */
export function fieldModes(group: ModeGroup, at: AnswerMode['at']): (summary: string, change: Fields) => AnswerMode {
  const changed =
    (change: Fields) =>
    (normal: Answer): Answer =>
      normal.status === 200 ? jsonAnswer({ ...fieldsOf(normal), ...change }) : normal;
  return (summary, change) => ({
    ...{ kind: 'answer', group, at, summary, takesEffect: true, delivery: whole },
    answer: changed(change),
  });
}

/** Makes the modes of a group whose success has another text as its body. */
export function bodyModes(
  group: ModeGroup,
  at: AnswerMode['at'],
): (summary: string, body: (json: string) => string | Buffer, headers?: Record<string, string>) => AnswerMode {
  return (summary, body, headers = {}) => ({
    ...{ kind: 'answer', group, at, summary, takesEffect: true, delivery: whole },
    answer: (normal) =>
      normal.status === 200
        ? { status: 200, headers: { ...normal.headers, ...headers }, body: body(normal.body.toString()) }
        : normal,
  });
}

/** Makes the modes of a group that answer in place of the endpoint, which does not do its work. */
export function insteadModes(group: ModeGroup, at: AnswerMode['at']): (summary: string, answer: Answer) => AnswerMode {
  return (summary, answer) => ({
    ...{ kind: 'answer', group, at, summary, takesEffect: false, delivery: whole },
    answer: () => answer,
  });
}

/** Makes the modes of a group whose normal answer is written in another way, after the endpoint did its work. */
export function deliveryModes(
  group: ModeGroup,
  at: AnswerMode['at'],
): (summary: string, delivery: Delivery) => AnswerMode {
  return (summary, delivery) => ({
    ...{ kind: 'answer', group, at, summary, takesEffect: true, delivery },
    answer: (normal) => normal,
  });
}

function fieldsOf(answer: Answer): Fields {
  return JSON.parse(answer.body.toString()) as Fields;
}
