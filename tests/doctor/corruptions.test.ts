import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { openServer } from '../../src/app/server.ts';
import { loadConfig } from '../../src/config.ts';
import { findingsOfFiles } from '../../src/doctor/files.ts';
import { createLog } from '../../src/logging/log.ts';
import {
  EVENTS_FILE,
  INSTALLATION_FILE,
  KNOWLEDGE_FILE,
  SECRET_FILE,
  SPOOL_FILE,
  STATE_FILE,
  UPLOADS_DIRECTORY,
} from '../../src/storage/installation/names.ts';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { ingested } from '../support/knowledge.ts';
import { newDataDirectory } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { scopeOfThisFile } from '../support/shared.ts';

/*
 * One real data directory, copied for each case and damaged in one way. A start and `doctor` must both refuse it and name
 * the file, the reason and the remedy; what `doctor` alone can find is marked as such.
 */

const wholeFile = scopeOfThisFile();
let whole = '';
let another = '';

before(async () => {
  [whole, another] = [await filled(), await filled()];
});

async function filled(): Promise<string> {
  const dataDir = newDataDirectory(wholeFile);
  const cleanups: (() => Promise<void>)[] = [];
  const app = await testApp({ after: (cleanup: () => Promise<void>) => cleanups.push(cleanup) } as never, { dataDir });
  await app.ingest(Array.from({ length: 3_000 }, (_, index) => ({ eventName: 'seen', properties: { index } })));
  await ingested({ url: app.url, key: app.key }, { name: 'a.txt', content: 'known '.repeat(20_000) });
  app.runtime.secretKey.keyFor('backups');
  for (const cleanup of cleanups) await cleanup();
  return dataDir;
}

interface Damage {
  file: string;
  how: string;
  damage: (path: string) => void;
  /** What is wrong. */
  reason: RegExp;
  /** Only a thorough reading finds it. */
  doctorAlone?: true;
}

const cut = (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2));
const empty = (path: string) => truncateSync(path, 0);
const missing = (path: string) => rmSync(path);
const swapped = (path: string) => cpSync(join(another, basename(path)), path);
const asDirectory = (path: string) => {
  rmSync(path);
  mkdirSync(path);
};
const asText = (path: string) => writeFileSync(path, 'some text\n'.repeat(5_000));
/** 160 bytes flipped at a share of the file. */
const flippedAt = (share: number) => (path: string) => {
  const content = readFileSync(path);
  const from = Math.min(Math.floor(content.length * share), content.length - 160);
  for (let at = from; at < from + 160; at += 1) content[at]! ^= 0xff;
  writeFileSync(path, content);
};
/** A byte flipped in each block, beyond the headers. */
const inEveryBlock = (path: string) => {
  const content = readFileSync(path);
  for (let at = 12_288 + 100; at < content.length; at += 262_144) content[at]! ^= 0xff;
  writeFileSync(path, content);
};
/** The log that a killed server of another installation left. */
const withForeignLog = (path: string) => {
  const scratch = `${path}.scratch`;
  cpSync(join(another, basename(path)), scratch);
  const database = new BetterSqlite3(scratch);
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  // Written anew, every page is in the log.
  database.exec('VACUUM');
  cpSync(`${scratch}-wal`, `${path}-wal`);
  database.close();
  rmSync(scratch);
};
/** Bytes of a stored text flipped where no structure of the file notices. */
const flippedIn = (text: string) => (path: string) => {
  const content = readFileSync(path);
  const from = content.indexOf(text);
  assert.ok(from > 0, `${text} is in ${path}`);
  for (let at = from; at < from + text.length; at += 1) content[at]! ^= 0xff;
  writeFileSync(path, content);
};
const inSqlite = (sql: string) => (path: string) => {
  const database = new BetterSqlite3(path);
  database.exec(sql);
  database.close();
};

const DAMAGES: Damage[] = [
  { file: STATE_FILE, how: 'missing', damage: missing, reason: /is missing/ },
  { file: STATE_FILE, how: 'empty', damage: empty, reason: /is empty/ },
  { file: STATE_FILE, how: 'cut at half', damage: cut, reason: /is damaged \(/ },
  { file: STATE_FILE, how: 'of another installation', damage: swapped, reason: /is of another installation \(/ },
  { file: STATE_FILE, how: 'flipped in its header', damage: flippedAt(0), reason: /is damaged \(/ },
  { file: STATE_FILE, how: 'a directory', damage: asDirectory, reason: /is not a file/ },
  { file: STATE_FILE, how: 'text', damage: asText, reason: /is damaged \(/ },
  {
    ...{ file: STATE_FILE, how: 'of a newer version', reason: /was written by a newer agent-runtime/ },
    damage: inSqlite("INSERT INTO kysely_migration VALUES ('9999-future', '')"),
  },
  {
    ...{ file: STATE_FILE, how: 'flipped in a stored text', reason: /values of api_keys\.scopes are not whole/ },
    ...{ damage: flippedIn('["*"]'), doctorAlone: true },
  },
  {
    ...{ file: STATE_FILE, how: 'with the id of nobody', reason: /carries no id of an installation/ },
    damage: inSqlite('DROP TABLE installation_id'),
  },
  { file: SPOOL_FILE, how: 'missing', damage: missing, reason: /is missing/ },
  { file: SPOOL_FILE, how: 'empty', damage: empty, reason: /is empty/ },
  { file: SPOOL_FILE, how: 'cut at half', damage: cut, reason: /is damaged \(/ },
  { file: SPOOL_FILE, how: 'of another installation', damage: swapped, reason: /is of another installation \(/ },
  { file: SPOOL_FILE, how: 'text', damage: asText, reason: /is damaged \(/ },
  { file: EVENTS_FILE, how: 'missing', damage: missing, reason: /is missing/ },
  { file: EVENTS_FILE, how: 'empty', damage: empty, reason: /is empty/ },
  { file: EVENTS_FILE, how: 'cut at half', damage: cut, reason: /is (cut off|damaged)/ },
  {
    ...{ file: EVENTS_FILE, how: 'without its last byte', reason: /is (cut off|damaged)/ },
    damage: (path) => truncateSync(path, statSync(path).size - 1),
  },
  { file: EVENTS_FILE, how: 'of another installation', damage: swapped, reason: /is of another installation \(/ },
  { file: EVENTS_FILE, how: 'flipped in its header', damage: flippedAt(0), reason: /is damaged \(/ },
  { file: EVENTS_FILE, how: 'flipped in every block', damage: inEveryBlock, reason: /is damaged \(/ },
  { file: EVENTS_FILE, how: 'a directory', damage: asDirectory, reason: /is not a file/ },
  {
    ...{
      file: STATE_FILE,
      how: 'beside a log of another installation',
      reason: /is (damaged|of another installation) \(/,
    },
    damage: withForeignLog,
  },
  { file: KNOWLEDGE_FILE, how: 'missing', damage: missing, reason: /is missing/ },
  { file: KNOWLEDGE_FILE, how: 'empty', damage: empty, reason: /is empty/ },
  { file: KNOWLEDGE_FILE, how: 'cut at half', damage: cut, reason: /is damaged \(/ },
  { file: KNOWLEDGE_FILE, how: 'of another installation', damage: swapped, reason: /is of another installation \(/ },
  {
    ...{ file: KNOWLEDGE_FILE, how: 'of a newer version', reason: /was written by a newer agent-runtime/ },
    damage: inSqlite('PRAGMA user_version = 99'),
  },
  {
    ...{ file: KNOWLEDGE_FILE, how: 'flipped in a passage', reason: /values of chunks\.text are not whole/ },
    ...{ damage: flippedIn('known known'), doctorAlone: true },
  },
  { file: SECRET_FILE, how: 'missing', damage: missing, reason: /is missing/ },
  { file: SECRET_FILE, how: 'empty', damage: empty, reason: /is empty/ },
  { file: INSTALLATION_FILE, how: 'missing', damage: missing, reason: /is missing/ },
  { file: INSTALLATION_FILE, how: 'empty', damage: empty, reason: /is damaged/ },
  { file: INSTALLATION_FILE, how: 'cut at half', damage: cut, reason: /is damaged/ },
  { file: INSTALLATION_FILE, how: 'a directory', damage: asDirectory, reason: /is not a file/ },
  {
    ...{ file: INSTALLATION_FILE, how: 'of a newer version', reason: /was written by a newer agent-runtime/ },
    damage: (path) => writeFileSync(path, '{"format":2}'),
  },
  {
    ...{ file: UPLOADS_DIRECTORY, how: 'a file', reason: /is not a directory/ },
    damage: (path) => {
      rmSync(path, { recursive: true });
      writeFileSync(path, '');
    },
  },
];

for (const [index, { file, how, damage, reason, doctorAlone }] of DAMAGES.entries()) {
  const define = index % 3 === 0 ? test : rareTest;
  define(`Integrity: ${file} ${how} is refused`, async (t) => {
    const dataDir = copyOf(t);
    const path = join(dataDir, file);
    damage(path);
    const findings = await failuresIn(dataDir);
    assert.equal(findings.length, 1, findings.join('\n'));
    const isRefused = (message: string) => {
      assert.ok(message.startsWith(path), message);
      assert.match(message, reason);
      assert.match(message, /restore a backup|Install that version|Move whatever is at its path aside/);
      assert.ok(!message.includes('\n'), message);
      return true;
    };
    isRefused(findings[0]!);
    if (doctorAlone) return;
    await assert.rejects(opened(dataDir), (error: Error) => isRefused(error.message));
  });
}

test('Integrity: a manifest of another installation is refused by every store', async (t) => {
  const dataDir = copyOf(t);
  cpSync(join(another, INSTALLATION_FILE), join(dataDir, INSTALLATION_FILE));
  const findings = await failuresIn(dataDir);
  assert.equal(findings.length, 4, findings.join('\n'));
  for (const found of findings) assert.match(found, /is of another installation .* installation\.json names/);
  await assert.rejects(opened(dataDir), /is of another installation/);
});

test('Integrity: a whole copy is opened, and nothing is wrong with it', async (t) => {
  const dataDir = copyOf(t);
  assert.deepEqual(await failuresIn(dataDir), []);
  await (await opened(dataDir)).close();
});

function copyOf(t: TestContext): string {
  const dataDir = join(temporaryDirectory(t), 'data');
  cpSync(whole, dataDir, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  return dataDir;
}

async function failuresIn(dataDir: string): Promise<string[]> {
  const findings = await findingsOfFiles({ dataDir }, false);
  return findings.filter(({ status }) => status === 'failed').map(({ message }) => message);
}

function opened(dataDir: string) {
  const config = loadConfig({ dataDir, port: 0, logLevel: 'silent' }, {}, {});
  return openServer(config, createLog(config.logLevel));
}
