import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import { acceptLoss, findingsOfFiles } from '../../../src/doctor/files.ts';
import { Installation } from '../../../src/storage/installation/installation.ts';
import {
  EVENTS_FILE,
  INSTALLATION_FILE,
  KNOWLEDGE_FILE,
  SPOOL_FILE,
  STATE_FILE,
  STORES,
} from '../../../src/storage/installation/names.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { whileOpen } from '../../support/backup.ts';
import { ingested } from '../../support/knowledge.ts';
import { rareTest } from '../../support/rare.ts';
import { scopeOfThisFile } from '../../support/shared.ts';

const wholeFile = scopeOfThisFile();
let whole = '';
/** The result of a first start, before anything is stored. */
let empty: Promise<string> | undefined;

before(async () => {
  whole = join(temporaryDirectory(wholeFile), 'data');
  await whileOpen(whole, async (app) => {
    await app.ingest([{ eventName: 'seen' }]);
    await ingested(app, { name: 'a.txt', content: 'known' });
  });
});

test('Installation: a start lists each new store, with the id inside it', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  const state = await openState(configOf(dataDir));
  assert.deepEqual(Installation.find(dataDir)?.listed, [STATE_FILE]);
  await state.close();
  await whileOpen(dataDir, async (app) => {
    assert.deepEqual(Installation.find(dataDir)?.listed, [STATE_FILE, SPOOL_FILE, EVENTS_FILE]);
    await ingested(app, { name: 'a.txt', content: 'known' });
  });
  const installation = Installation.find(dataDir)!;
  for (const name of STORES) {
    assert.deepEqual(installation.identityOf(name), { installationId: installation.id, isMarked: true }, name);
  }
  for (const name of [STATE_FILE, SPOOL_FILE, KNOWLEDGE_FILE]) assert.equal(idIn(join(dataDir, name)), installation.id);
});

test('Installation: processes that start at once agree on one id', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  const states = await Promise.all([1, 2, 3, 4].map(() => openState(configOf(dataDir))));
  for (const state of states) await state.close();
  assert.equal(idIn(join(dataDir, STATE_FILE)), Installation.find(dataDir)?.id);
});

rareTest('Installation: a first start interrupted anywhere can be repeated', async (t) => {
  const { id } = Installation.find(whole)!;
  const nothing = (_dataDir: string) => undefined;
  const unlisted = { format: 1, installationId: id, files: {} };
  for (const made of [
    [],
    [STATE_FILE],
    [EVENTS_FILE],
    [STATE_FILE, EVENTS_FILE],
    [STATE_FILE, EVENTS_FILE, SPOOL_FILE],
  ]) {
    for (const last of [nothing, (dataDir: string) => truncateSync(join(dataDir, made.at(-1) ?? ''), 0)]) {
      if (last !== nothing && (made.length === 0 || made.at(-1) === EVENTS_FILE)) continue;
      const dataDir = join(temporaryDirectory(t), 'data');
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, INSTALLATION_FILE), JSON.stringify(unlisted));
      writeFileSync(join(dataDir, `${INSTALLATION_FILE}.partial`), '{"for');
      // As a start leaves them, still empty.
      for (const name of made) cpSync(join(await emptyInstallation(id), name), join(dataDir, name));
      last(dataDir);
      await whileOpen(dataDir, async (app) => {
        await app.ingest([{ eventName: 'seen' }]);
      });
      assert.deepEqual(await failuresIn(dataDir), [], made.join());
      assert.equal(Installation.find(dataDir)?.id, id);
    }
  }
});

rareTest('Installation: an accepted loss is set aside, and the rest continues', async (t) => {
  for (const name of STORES) {
    const dataDir = copyOf(t);
    truncateSync(join(dataDir, name), 100);
    assert.equal((await failuresIn(dataDir)).length, 1, name);
    const movedTo = acceptLoss(dataDir, name, 0)!;
    assert.ok(readdirSync(movedTo).includes(name));
    assert.deepEqual(await failuresIn(dataDir), [], name);
    await whileOpen(dataDir, async (app) => {
      await app.ingest([{ eventName: 'more' }]);
    });
    assert.deepEqual(await failuresIn(dataDir), [], name);
  }
  assert.throws(() => acceptLoss(copyOf(t), 'uploads', 0), /--accept-loss: must be one of state\.sqlite, /);
});

test('Installation: a lost manifest is rebuilt with the id in the stores', async (t) => {
  const dataDir = copyOf(t);
  const { id } = Installation.find(dataDir)!;
  rmSync(join(dataDir, INSTALLATION_FILE));
  await assert.rejects(
    openState(configOf(dataDir)),
    /installation\.json is missing, .*version 0\.1, which cannot be read/,
  );
  assert.equal(acceptLoss(dataDir, INSTALLATION_FILE, 0), null);
  assert.deepEqual(await failuresIn(dataDir), []);
  await whileOpen(dataDir, async () => undefined);
  assert.deepEqual([Installation.find(dataDir)?.id, Installation.find(dataDir)?.listed.length], [id, STORES.length]);
});

test('Installation: additions of another process are not undone', (t) => {
  const dataDir = temporaryDirectory(t);
  const [one, other] = [Installation.open(dataDir), Installation.open(dataDir)];
  one.made(STATE_FILE);
  other.made(SPOOL_FILE);
  assert.deepEqual(Installation.find(dataDir)?.listed, [STATE_FILE, SPOOL_FILE]);
  assert.equal(readFileSync(join(dataDir, INSTALLATION_FILE), 'utf8').includes(one.id), true);
});

async function emptyInstallation(id: string): Promise<string> {
  empty ??= (async () => {
    const dataDir = join(temporaryDirectory(wholeFile), 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, INSTALLATION_FILE), JSON.stringify({ format: 1, installationId: id, files: {} }));
    await whileOpen(dataDir, async () => undefined);
    return dataDir;
  })();
  return empty;
}

function copyOf(t: TestContext): string {
  const dataDir = join(temporaryDirectory(t), 'data');
  cpSync(whole, dataDir, { recursive: true });
  return dataDir;
}

function configOf(dataDir: string) {
  return loadConfig({ dataDir, logLevel: 'silent' }, {}, {});
}

async function failuresIn(dataDir: string): Promise<string[]> {
  const findings = await findingsOfFiles({ dataDir }, false);
  return findings.filter(({ status }) => status === 'failed').map(({ message }) => message);
}

function idIn(path: string): unknown {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return database.prepare('SELECT id FROM installation_id').pluck().get();
  } finally {
    database.close();
  }
}
