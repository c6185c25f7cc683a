/*
 * Queues of executions for reviewers. `queue_changes` has the executions that changed since queues
 * looked at them: triggers of each database write it, for tenants that have a queue.
 */

export const QUEUES: readonly string[] = [
  `CREATE TABLE queues (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    definition text NOT NULL,
    assessors integer NOT NULL,
    revision integer NOT NULL,
    place text,
    is_walked integer NOT NULL,
    outcomes_from bigint,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT queues_name UNIQUE (tenant_id, name)
  )`,
  `CREATE TABLE queue_items (
    number bigint NOT NULL REFERENCES executions (number) ON DELETE CASCADE,
    queue_id text NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
    at bigint NOT NULL,
    is_open integer NOT NULL,
    done_count integer NOT NULL,
    holder text,
    lease_until bigint,
    PRIMARY KEY (number, queue_id)
  ) WITHOUT ROWID`,
  'CREATE INDEX queue_items_oldest ON queue_items (queue_id, is_open, at, number)',
  'CREATE INDEX queue_items_held ON queue_items (queue_id, holder) WHERE holder IS NOT NULL',
  `CREATE TABLE queue_hands (
    number bigint NOT NULL,
    queue_id text NOT NULL,
    assessor text NOT NULL,
    label text NOT NULL,
    state text NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (number, queue_id, assessor),
    FOREIGN KEY (number, queue_id) REFERENCES queue_items (number, queue_id) ON DELETE CASCADE
  ) WITHOUT ROWID`,
  'CREATE INDEX queue_hands_assessor ON queue_hands (queue_id, assessor, state)',
  // A change gives the row another mark: what was read before is not what was removed.
  `CREATE TABLE queue_changes (
    number bigint PRIMARY KEY REFERENCES executions (number) ON DELETE CASCADE,
    tenant_id text NOT NULL,
    mark bigint NOT NULL
  )`,
  'CREATE INDEX queue_changes_of_tenant ON queue_changes (tenant_id, number)',
];
