import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/*
 * The data of the bench, made by DuckDB: 180 days, 4 tenants with 70, 20, 7 and 3 % of the events, 12 event names, 4 to
 * 10 properties, every choice skewed as life is. The same number of rows gives the same rows.
 */

export const TENANTS = ['t1', 't2', 't3', 't4'];
const FIRST_DAY_MS = Date.parse('2026-01-01T00:00:00Z');
const DAYS_MS = 180 * 86_400_000;

export interface DuckdbFile {
  connection: DuckDBConnection;
  close(): void;
}

/** A file of the bench's own: two threads, and the storage format that the product uses. */
export async function openDuckdb(path: string): Promise<DuckdbFile> {
  const instance = await DuckDBInstance.create(path, {
    threads: '2',
    memory_limit: '6GB',
    storage_compatibility_version: 'v1.5.0',
  });
  const connection = await instance.connect();
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** `dice(i, salt)`: evenly from 0 to 1. A hash, so that rows do not depend on which thread makes them. */
const DICE = `CREATE OR REPLACE TEMP MACRO dice(i, salt) AS
  (hash(i * 32 + salt) >> 11)::DOUBLE / 9007199254740992`;

/**
 * Milliseconds of event i of `rows`: in steps of four that overtake each other, as arrivals do, and yet all different,
 * so that no order has ties.
 */
function timeOf(rows: number): string {
  const step = Math.floor(DAYS_MS / rows);
  if (step < 4) throw new Error(`--rows: ${rows} rows do not have a time of their own in 180 days`);
  return `(${FIRST_DAY_MS} + ${step} * (i + floor(4 * dice(i, 1))::BIGINT) + (i % 4) * ${Math.floor(step / 4)})`;
}

/** As the product would make it: a UUIDv7. */
const EVENT_ID = `(lpad(lower(to_hex(ms)), 12, '0') || '7' || substr(bits, 1, 3) || '8' || substr(bits, 4, 15))::UUID`;

/** One of several texts, the first most often. */
function oneOf(texts: string[], salt: number, skew: number): string {
  return `(['${texts.join("','")}'])[1 + floor(${texts.length} * pow(dice(i, ${salt}), ${skew}))::INTEGER]`;
}

/** A whole number below `end`, small ones most often. */
function below(end: number, salt: number, skew: number): string {
  return `floor(${end} * pow(dice(i, ${salt}), ${skew}))::INTEGER`;
}

function only(eventNames: string[], value: string): string {
  return `CASE WHEN event_name IN ('${eventNames.join("','")}') THEN ${value} END`;
}

const EVENT_NAMES = [
  'page_viewed',
  'message_sent',
  'message_received',
  'search_performed',
  'tool_called',
  'product_viewed',
  'cart_updated',
  'checkout_started',
  'purchase_completed',
  'feedback_given',
  'ticket_opened',
  'session_ended',
];
const COUNTRIES = 'US DE FR GB ES IT NL PL BR IN JP CA AU SE NO DK FI PT CH AT'.split(' ');
const TROUBLES = ['asked', 'complained', 'was happy', 'wanted a refund', 'needs invoice', 'could not log in'];
const TIMED = ['page_viewed', 'message_received', 'tool_called', 'search_performed', 'session_ended'];

/** Every property: its column and its expression. A column `a__b` is the key b inside the object a. */
const PROPERTIES: Record<string, string> = {
  user_id: `'usr_' || lpad((${below(300_000, 8, 2.5)})::VARCHAR, 8, '0')`,
  country: oneOf(COUNTRIES, 9, 2),
  plan: oneOf(['free', 'starter', 'pro', 'enterprise'], 10, 1.5),
  is_new: 'dice(i, 11) < 0.3',
  url: only(
    ['page_viewed', 'product_viewed', 'search_performed'],
    `'https://shop.example.com/c' || ${below(40, 12, 2)} || '/item-' || ${below(20_000, 6, 2.2)} || CASE WHEN dice(i, 13) < 0.2 THEN '?ref=newsletter' ELSE '' END`,
  ),
  duration_ms: only(TIMED, `20 + ${below(8_000, 14, 4)}`),
  amount: only(
    ['cart_updated', 'checkout_started', 'purchase_completed', 'product_viewed'],
    'round(5 + 900 * pow(dice(i, 15), 3), 2)',
  ),
  currency: only(['cart_updated', 'checkout_started', 'purchase_completed'], oneOf(['EUR', 'USD', 'GBP'], 16, 2)),
  item_count: only(['cart_updated', 'purchase_completed'], `1 + ${below(9, 17, 2)}`),
  sku: only(['product_viewed', 'cart_updated'], `'sku-' || ${below(5_000, 18, 2)}`),
  model: only(
    ['message_sent', 'message_received', 'tool_called'],
    oneOf(['claude-opus', 'claude-sonnet', 'gpt-5', 'gemini-3', 'llama-4', 'mistral-l'], 19, 2),
  ),
  tokens: only(['message_sent', 'message_received'], `40 + ${below(6_000, 20, 3)}`),
  tool: only(['tool_called'], `'tool_' || ${below(60, 21, 2)}`),
  success: only(['tool_called', 'search_performed', 'purchase_completed'], 'dice(i, 22) < 0.93'),
  score: only(['feedback_given'], `1 + ${below(5, 23, 0.5)}`),
  msg: only(
    ['feedback_given', 'ticket_opened', 'message_sent', 'search_performed'],
    `'the customer ' || ${oneOf(TROUBLES, 24, 1.5)} || ' about order ' || ${below(900_000, 25, 1)} || ' and delivery in ' || ${oneOf(['Berlin', 'Paris', 'Madrid', 'London', 'Rome'], 26, 1)}`,
  ),
  utm__source: only(
    ['page_viewed', 'session_ended'],
    oneOf(['google', 'newsletter', 'facebook', 'direct', 'partner'], 27, 2),
  ),
  utm__medium: only(['page_viewed', 'session_ended'], oneOf(['cpc', 'organic', 'email'], 28, 1)),
};

const PROPERTY_COLUMNS = Object.keys(PROPERTIES);

/** The events in the order of their arrival, as table `events` of the connection's file. */
export async function generateSource({ connection }: DuckdbFile, rows: number): Promise<void> {
  // As long as a few dozen events of the thread need, at every number of rows: the funnel's window must not cut it.
  const threads = Math.max(4, Math.round(rows / 5_000));
  const properties = PROPERTY_COLUMNS.map((column) => `${PROPERTIES[column]} AS ${column}`);
  await connection.run(`${DICE};
    CREATE TABLE events AS WITH
      drawn AS (SELECT i, ${timeOf(rows)} AS ms, lpad(lower(to_hex(hash(i * 32 + 30))), 18, '0') AS bits, dice(i, 2) AS tenant
        FROM range(${rows}) AS numbers(i)),
      named AS (SELECT *, ${oneOf(EVENT_NAMES, 4, 1.6)} AS event_name FROM drawn)
    SELECT CASE WHEN tenant < 0.70 THEN 't1' WHEN tenant < 0.90 THEN 't2' WHEN tenant < 0.97 THEN 't3' ELSE 't4' END AS tenant_id,
      'agent_' || ${below(8, 3, 3)} AS agent_id, event_name, epoch_ms(ms) AS ts, ${EVENT_ID} AS id,
      'thr_' || lpad(((i // 40) + ${below(threads, 5, 2)})::VARCHAR, 10, '0') AS thread_id,
      CASE WHEN dice(i, 7) < 0.6 THEN 'exec_' || lpad((i // 3)::VARCHAR, 12, '0') END AS execution_id,
      ${properties.join(', ')}
    FROM named`);
  await connection.run('CHECKPOINT');
}

/**
 * The events of the tenant whose learned keys are used up: the first tenth are forms of hundreds of fields, which only
 * the product is given, and one report in a thousand; the rest are reports.
 */
export async function generateCrowded({ connection }: DuckdbFile, rows: number): Promise<void> {
  const forms = Math.floor(rows / 10);
  await connection.run(`${DICE};
    CREATE TABLE events AS WITH
      drawn AS (SELECT i, ${timeOf(rows)} AS ms, lpad(lower(to_hex(hash(i * 32 + 30))), 18, '0') AS bits
        FROM range(${rows}) AS numbers(i))
    SELECT 'crowded' AS tenant_id, 'agent_0' AS agent_id,
      CASE WHEN i < ${forms} AND i % 1000 <> 999 THEN 'form_submitted' ELSE 'report_viewed' END AS event_name,
      epoch_ms(ms) AS ts, ${EVENT_ID} AS id, 'thr_' || (i // 40) AS thread_id, NULL::VARCHAR AS execution_id,
      ${PROPERTIES.user_id} AS user_id, ${oneOf(COUNTRIES, 9, 2)} AS region, ${below(5_000, 14, 3)} AS weight,
      'quarterly report ' || ${below(900, 25, 1)} || ' of the ' || ${oneOf(['north', 'south', 'east', 'west'], 26, 1)} AS title
    FROM drawn`);
  await connection.run('CHECKPOINT');
}

/** The same events as a native table for each property's own type, sorted as its queries ask: the floor. */
export async function generateFloor({ connection }: DuckdbFile, sourcePath: string): Promise<void> {
  await connection.run(`ATTACH '${sourcePath}' AS source (READ_ONLY);
    CREATE TABLE events AS SELECT * FROM source.events ORDER BY tenant_id, event_name, ts;
    DETACH source`);
  await connection.run('CHECKPOINT');
}
