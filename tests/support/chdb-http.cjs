/*
 * ClickHouse's HTTP interface, as much of it as @clickhouse/client needs, over chdb: the engine in this process. The engine
 * and its SQL are ClickHouse's; the HTTP server, its limits and its errors in mid-stream are not.
 */
const { randomUUID } = require('node:crypto');
const { rmSync, writeFileSync } = require('node:fs');
const http = require('node:http');
const { join } = require('node:path');

const [directory, port, chdb] = process.argv.slice(2);
const { Session } = require(chdb);
const session = new Session(directory);

/** Parameters of the interface that are no settings of the engine. */
const NOT_SETTINGS = new Set([
  'query',
  'database',
  'query_id',
  'session_id',
  'default_format',
  'session_timeout',
  'role',
]);
const INSERT = /^\s*INSERT\s+INTO\s+([\s\S]*?)\s+FORMAT\s+(\w+)\s*$/i;
const SELECT = /^([\s\S]*?)(?:\sFORMAT\s+(\w+))?\s*$/;

const server = http.createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => void answer(new URL(request.url, 'http://localhost'), Buffer.concat(parts), response));
});

async function answer(url, body, response) {
  if (url.pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  const settings = [...url.searchParams].filter(([name]) => !NOT_SETTINGS.has(name) && !name.startsWith('param_'));
  try {
    const text = await run(url.searchParams.get('query'), body, settings);
    response.setHeader('x-clickhouse-summary', '{}');
    response.end(text);
  } catch (error) {
    const code = error.clickhouseCode ?? /Code: (\d+)/.exec(error.message)?.[1] ?? 0;
    response.statusCode = 500;
    response.setHeader('x-clickhouse-exception-code', String(code));
    response.end(`Code: ${code}. DB::Exception: ${error.message}`);
  }
}

async function run(query, body, settings) {
  const given = settings.map(([name, value]) => `${name} = ${literal(value)}`).join(', ');
  const [, into, format] = INSERT.exec(query ?? '') ?? [];
  if (into !== undefined) return insert(into, format, body, given);
  const statement = (query ?? body.toString()).trim().replace(/;$/, '');
  const [, text, shown] = SELECT.exec(statement);
  const isSelect = /^\s*(SELECT|WITH)\b/i.test(text) && given !== '';
  const result = await session.queryAsync(isSelect ? `${text} SETTINGS ${given}` : text, {
    format: shown ?? 'TabSeparated',
  });
  return result.text();
}

/** The engine reads the rows of a file, as it does those of a request's body: as one block if they are one. */
async function insert(into, format, body, given) {
  const path = join(directory, `insert-${randomUUID()}`);
  writeFileSync(path, body);
  try {
    const settings = given === '' ? '' : ` SETTINGS ${given}`;
    await session.queryAsync(`INSERT INTO ${into}${settings} SELECT * FROM file('${path}', '${format}')`, {});
    return '';
  } finally {
    rmSync(path, { force: true });
  }
}

function literal(value) {
  return /^-?\d+(\.\d+)?$/.test(value) ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

// While a query runs, nothing tells clients that their connection has ended.
server.keepAliveTimeout = 600_000;
server.listen(Number(port), '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));
