/** Why somebody was not let in, as the login page is told. Each has its text in the portal. */
export const REFUSALS = [
  'cancelled',
  'expired',
  'unreachable',
  'misconfigured',
  'untrusted',
  'clock',
  'outsider',
  'no_email',
  'not_linked',
  'no_user',
  'no_role',
  'no_tenant',
  'inactive',
  'unknown_provider',
  'busy',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export class SignOnRefused extends Error {
  readonly refusal: Refusal;
  /** Whose login it was, once that is known. */
  readonly user: { id: string; tenantId: string; email: string } | null;

  /** `reason`: for the logs, without secrets. */
  constructor(
    refusal: Refusal,
    reason: string,
    { user = null, cause }: { user?: SignOnRefused['user']; cause?: unknown } = {},
  ) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = 'SignOnRefused';
    this.refusal = refusal;
    this.user = user;
  }
}
