import { CheckCase } from './check-cases';
import { DerivedProfile } from './derived-profile';
import { Exchange } from '../exchanges/redact';
import { FindingRow } from '../findings/finding';
import { FindingCode } from '../findings/finding-catalogue';

/** A finding with its evidence. */
export interface ReportedFinding extends FindingRow {
  readonly code: FindingCode;
  /** Numbers of the exchanges that show it. */
  readonly exchanges: readonly number[];
  /** What was seen here, without text of the partner. */
  readonly detail: string | null;
}

/** A case with its outcome. */
export interface ReportedCase {
  readonly id: CheckCase;
  readonly title: string;
  readonly rule: string;
  readonly outcome: 'passed' | 'failed' | 'not_observed';
  readonly why: string | null;
}

/** A client secret that was live, named by its fingerprint, and what the token endpoint said to it without a log-in. */
export interface ReportedSecret {
  readonly which: 'current' | 'previous';
  readonly fingerprint: string;
  readonly outcome: 'accepted' | 'refused' | 'not_observed';
  /** Whether the rest of the check was made with it. */
  readonly used: boolean;
}

/** The result of a check; a document that may be stored and shown: it has no codes, tokens, secrets or user data. */
export interface CheckReport {
  readonly format: 1;
  /** Without user, password and the values of its query, which may be secret. */
  readonly authorization_url: string;
  readonly base_url: string;
  readonly redirect_uri: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly finished_at: string;
  /** `not_finished`: a log-in did not come back, and nothing else stands against linking. */
  readonly verdict: 'links' | 'does_not_link' | 'not_finished';
  readonly log_ins: number;
  readonly profile: DerivedProfile;
  /** Only while two client secrets were live. */
  readonly client_secrets?: readonly ReportedSecret[];
  /** Worst first. */
  readonly findings: readonly ReportedFinding[];
  readonly cases: readonly ReportedCase[];
  readonly exchanges: readonly Exchange[];
}
