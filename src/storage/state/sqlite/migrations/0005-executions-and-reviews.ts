import { type Kysely, sql } from 'kysely';

/** Contents have their own table and triggers keep the counts, so statistics stay cheap. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await executions(database);
  await reviews(database);
  await reviewCounts(database);
}

async function executions(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('executions')
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('id_from_caller', 'integer', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('provider', 'text')
    .addColumn('model', 'text')
    .addColumn('usage', 'text')
    .addColumn('shape', 'text', (column) => column.notNull())
    .addColumn('content_length', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('completed_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addPrimaryKeyConstraint('executions_key', ['tenant_id', 'id'])
    .execute();
  await database.schema
    .createIndex('executions_made_id')
    .on('executions')
    .column('id')
    .where(sql.ref('id_from_caller'), '=', sql.lit(0))
    .execute();
  await database.schema.createIndex('executions_thread').on('executions').columns(['tenant_id', 'thread_id']).execute();
  await database.schema
    .createIndex('executions_created_by')
    .on('executions')
    .columns(['tenant_id', 'created_by'])
    .where(sql.ref('created_by'), 'is not', null)
    .execute();
  await database.schema
    .createTable('execution_contents')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('execution_id', 'text', (column) => column.notNull())
    .addColumn('messages', 'text', (column) => column.notNull())
    .addColumn('output', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('execution_contents_key', ['tenant_id', 'execution_id'])
    .addForeignKeyConstraint(
      'execution_contents_execution',
      ['tenant_id', 'execution_id'],
      'executions',
      ['tenant_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}

async function reviews(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('reviews')
    // In the order of creation: the index's row id, and the order of lists.
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('execution_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('rating', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('priority', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('resolved_at', 'bigint')
    .addColumn('reviewed_by', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text')
    .addColumn('resolved_by', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('comment', 'text', (column) => column.notNull())
    .addColumn('action_taken', 'text')
    .addColumn('resolution_notes', 'text')
    .addColumn('corrected_output', 'text')
    .addUniqueConstraint('reviews_execution', ['tenant_id', 'execution_id'])
    .execute();
  // No further index: it would be written with every review.
  await database.schema.createIndex('reviews_dates').on('reviews').columns(['tenant_id', 'created_at']).execute();
  // Contentless: it stores the terms only.
  await sql`CREATE VIRTUAL TABLE review_index
    USING fts5(terms, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none')`.execute(database);
  await sql`CREATE TRIGGER reviews_index_deleted AFTER DELETE ON reviews BEGIN
    DELETE FROM review_index WHERE rowid = old.number; END`.execute(database);
}

async function reviewCounts(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('review_counts')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('rating', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('priority', 'text', (column) => column.notNull())
    .addColumn('reviews', 'integer', (column) => column.notNull())
    .addColumn('resolution_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('review_counts_key', ['tenant_id', 'agent_id', 'rating', 'status', 'priority'])
    .execute();
  const add = sql.raw(`INSERT INTO review_counts
    VALUES (new.tenant_id, new.agent_id, new.rating, new.status, new.priority, 1, coalesce(new.resolved_at - new.created_at, 0))
    ON CONFLICT DO UPDATE SET reviews = reviews + 1, resolution_ms = resolution_ms + excluded.resolution_ms;`);
  const subtract = sql.raw(`UPDATE review_counts
    SET reviews = reviews - 1, resolution_ms = resolution_ms - coalesce(old.resolved_at - old.created_at, 0)
    WHERE tenant_id = old.tenant_id AND agent_id = old.agent_id AND rating = old.rating AND status = old.status
      AND priority = old.priority;
    DELETE FROM review_counts WHERE tenant_id = old.tenant_id AND agent_id = old.agent_id AND reviews = 0;`);
  await sql`CREATE TRIGGER reviews_counted AFTER INSERT ON reviews BEGIN ${add} END`.execute(database);
  await sql`CREATE TRIGGER reviews_uncounted AFTER DELETE ON reviews BEGIN ${subtract} END`.execute(database);
  await sql`CREATE TRIGGER reviews_recounted AFTER UPDATE OF rating, status, priority, resolved_at ON reviews
    BEGIN ${subtract} ${add} END`.execute(database);
}
