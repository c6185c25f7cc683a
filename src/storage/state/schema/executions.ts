/*
 * Executions with a number, which is the row id of their indexes, and the members by which people
 * find them; contents are compressed beside the rows; steps.
 */

/** Expressions in the words of a database. */
export interface EngineWords {
  /** The bytes of a text. */
  utf8(text: string): string;
  newline: string;
  /** A number in a column of JSON objects; null for other values. */
  numberIn(column: string, name: string): string;
}

export function executionStatements({ utf8, newline, numberIn }: EngineWords): readonly string[] {
  const count = (...names: string[]) => `coalesce(${names.map((name) => numberIn('usage', name)).join(', ')}, NULL)`;
  const cached = ['cache_read_input_tokens', 'cache_creation_input_tokens'].map(
    (name) => `coalesce(${count(name)}, 0)`,
  );
  return [
    `CREATE TABLE numbered_executions (
    number integer PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES tenants (id),
    id text NOT NULL,
    id_from_caller integer NOT NULL,
    agent_id text NOT NULL,
    thread_id text,
    user_id text,
    name text,
    tags text,
    metadata text,
    parent_id text,
    status text NOT NULL,
    source text NOT NULL,
    provider text,
    model text,
    usage text,
    input_tokens bigint,
    output_tokens bigint,
    total_tokens bigint,
    sent_cost double precision,
    cost double precision,
    cost_basis text,
    error_kind text,
    tools text,
    latency_ms bigint,
    steps integer NOT NULL,
    shape text NOT NULL,
    content_length integer NOT NULL,
    revision integer NOT NULL,
    at bigint NOT NULL,
    started_at bigint,
    completed_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    created_by text,
    chat text,
    runner text,
    event text,
    is_indexed integer NOT NULL,
    CONSTRAINT executions_id UNIQUE (tenant_id, id)
  )`,
    // Executions that ended before this migration have no event, and get none.
    `INSERT INTO numbered_executions (tenant_id, id, id_from_caller, agent_id, thread_id, status, source, provider, model,
      usage, latency_ms, steps, shape, content_length, revision, at, started_at, completed_at, created_at, updated_at,
      created_by, chat, runner, event, is_indexed)
    SELECT tenant_id, id, id_from_caller, agent_id, thread_id, status, CASE WHEN chat IS NULL THEN 'api' ELSE 'chat' END,
      provider, model, usage, completed_at - started_at, 0, shape, content_length, revision,
      coalesce(started_at, created_at), started_at, completed_at, created_at, updated_at, created_by, chat, runner,
      CASE WHEN status = 'running' THEN NULL ELSE 'sent' END, 0
    FROM executions ORDER BY created_at, id`,
    // As usage.ts counts, by the names of this server, OpenAI, Anthropic and Gemini.
    `UPDATE numbered_executions SET
      input_tokens = ${count('inputTokens', 'prompt_tokens', 'input_tokens', 'promptTokenCount')} + ${cached.join(' + ')},
      output_tokens = ${count('outputTokens', 'completion_tokens', 'output_tokens', 'candidatesTokenCount')},
      total_tokens = ${count('totalTokens', 'total_tokens', 'totalTokenCount')}
    WHERE usage IS NOT NULL`,
    `UPDATE numbered_executions SET total_tokens = coalesce(input_tokens + output_tokens, input_tokens, output_tokens)
    WHERE total_tokens IS NULL`,
    `UPDATE numbered_executions SET cost = ${numberIn('chat', 'cost')}, cost_basis = 'priced'
    WHERE ${numberIn('chat', 'cost')} IS NOT NULL`,
    `CREATE TABLE execution_bodies (
    number integer PRIMARY KEY REFERENCES numbered_executions (number) ON DELETE CASCADE,
    body blob NOT NULL
  )`,
    `INSERT INTO execution_bodies (number, body)
    SELECT number, ${utf8(`messages || ${newline} || output`)}
    FROM numbered_executions JOIN execution_contents AS contents
      ON contents.tenant_id = numbered_executions.tenant_id AND contents.execution_id = numbered_executions.id`,
    'DROP TABLE execution_contents',
    'DROP TABLE executions',
    'ALTER TABLE numbered_executions RENAME TO executions',
    'CREATE INDEX executions_made_id ON executions (id) WHERE id_from_caller = 0',
    'CREATE INDEX executions_thread ON executions (tenant_id, thread_id, at) WHERE thread_id IS NOT NULL',
    'CREATE INDEX executions_created_by ON executions (tenant_id, created_by) WHERE created_by IS NOT NULL',
    `CREATE INDEX executions_running_chats ON executions (tenant_id, id)
    WHERE status = 'running' AND chat IS NOT NULL`,
    'CREATE INDEX executions_at ON executions (tenant_id, at)',
    'CREATE INDEX executions_cost ON executions (tenant_id, cost) WHERE cost IS NOT NULL',
    'CREATE INDEX executions_latency ON executions (tenant_id, latency_ms) WHERE latency_ms IS NOT NULL',
    'CREATE INDEX executions_tokens ON executions (tenant_id, total_tokens) WHERE total_tokens IS NOT NULL',
    `CREATE INDEX executions_unsent ON executions (number) WHERE event = 'unsent'`,
    'CREATE INDEX executions_unindexed ON executions (number) WHERE is_indexed = 0',
    // attributes, input and output are in the body.
    `CREATE TABLE execution_steps (
    number bigint NOT NULL REFERENCES executions (number) ON DELETE CASCADE,
    id text NOT NULL,
    parent_id text,
    kind text NOT NULL,
    name text NOT NULL,
    status text,
    error_kind text,
    error text,
    started_at bigint NOT NULL,
    ended_at bigint,
    provider text,
    model text,
    usage text,
    input_tokens bigint,
    output_tokens bigint,
    total_tokens bigint,
    cost double precision,
    cost_basis text,
    content_length integer NOT NULL,
    body blob,
    PRIMARY KEY (number, id)
  ) WITHOUT ROWID`,
    // The order in which pages show them.
    'CREATE INDEX execution_steps_started ON execution_steps (number, started_at, id)',
    'ALTER TABLE tenants ADD COLUMN execution_retention_days integer',
    'CREATE INDEX tenants_execution_retention ON tenants (id) WHERE execution_retention_days IS NOT NULL',
  ];
}

/** Facets of executions from before (`sql/executions/terms.ts`), divided by spaces. */
export function formerFacets(hex: (column: string) => string): string {
  const facets = Object.entries({ a: 'agent_id', s: 'status', p: 'provider', m: 'model' }).map(
    ([kind, column]) =>
      `CASE WHEN ${column} IS NULL THEN '' ELSE ' ' || substr(tenant_id, 1, 8) || '${kind}' || ${hex(column)} END`,
  );
  return `substr(tenant_id, 1, 8) || ${facets.join(' || ')}`;
}
