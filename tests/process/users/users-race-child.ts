import { setTimeout as sleep } from 'node:timers/promises';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import type { UpdateUser } from '../../../src/core/access/users/schema.ts';
import type { RuntimeError } from '../../../src/core/base/shared/errors.ts';

/*
 * One of several processes that change users of one data directory at the same moment. It says that it is ready, starts
 * when it is told the time, and ends with what became of its attempts, as one line of JSON.
 */

export interface Attempt {
  id: string;
  changes: UpdateUser;
}

const [dataDir, key, attempts] = process.argv.slice(2) as [string, string, string];
const state = await openState(loadConfig({ dataDir }, {}, {}));
const caller = await state.keyAuthenticator.authenticate(key);
process.stdout.write('ready\n');
const [startAt] = (await process.stdin.setEncoding('utf8').toArray()) as string[];
await sleep(Number(startAt) - Date.now());
const outcomes: string[] = [];
for (const { id, changes } of JSON.parse(attempts) as Attempt[]) {
  const outcome = state.users.update(caller, id, changes).then(
    () => 'done',
    (error: RuntimeError) => error.code ?? error.message,
  );
  outcomes.push(await outcome);
}
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
await state.close();
