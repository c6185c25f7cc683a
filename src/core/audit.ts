/** Who did something: the operator at the command line, an API key, or a portal user. */
export interface Actor {
  kind: 'operator' | 'key' | 'user';
  /** Of the key or the user; null for the operator. */
  id: string | null;
  label: string;
}

/** One line of the audit log. Never holds a secret. */
export interface AuditEntry {
  id: string;
  tenantId: string;
  /** Epoch milliseconds. */
  at: number;
  actor: Actor;
  /** Noun and deed: `key.created`, `user.updated`, `settings.updated`, `login.failed`, ... */
  action: string;
  /** Id of what it was done to. */
  target: string | null;
  details: Record<string, unknown>;
}
