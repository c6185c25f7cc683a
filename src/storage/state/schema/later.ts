/*
 * The migrations after the first one that both databases have, by name. Those that were released
 * never change.
 */

export const LATER: Record<string, readonly string[]> = {
  // The secret before the last rotation, while both work.
  '0027-key-overlap': [
    'ALTER TABLE api_keys ADD COLUMN former_hash text',
    'ALTER TABLE api_keys ADD COLUMN former_until bigint',
    'CREATE INDEX api_keys_newest ON api_keys (tenant_id, created_at DESC, id)',
  ],
  '0028-credential-use': ['ALTER TABLE credentials ADD COLUMN last_used_at bigint'],
};
