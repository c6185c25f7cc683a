import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ownership } from '../../../src/ownership/ownership.ts';
import { temporaryDirectory } from '../../support/app.ts';

test('Ownership: a fault on opening is reported once, and again when it changes', async (t) => {
  const reported: string[] = [];
  let fault = 'the disk is full';
  let tries = 0;
  const ownership = new Ownership({
    dataDir: temporaryDirectory(t),
    yields: true,
    info: () => ({ command: 'test', pid: process.pid }),
    open: async () => {
      tries += 1;
      throw new Error(fault);
    },
    onError: (error) => reported.push((error as Error).message),
  });
  t.after(() => ownership.close());
  const triedAgain = async (times: number) => {
    const wanted = tries + times;
    while (tries < wanted) await sleep(20);
  };
  void ownership.watch();
  await triedAgain(4);
  assert.deepEqual(reported, ['the disk is full']);
  fault = 'the directory is gone';
  await triedAgain(2);
  assert.deepEqual(reported, ['the disk is full', 'the directory is gone']);
});
