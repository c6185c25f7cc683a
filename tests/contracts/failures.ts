import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AddressSlowdown, accountOf, LoginAttempts } from '../../src/core/access/auth/attempts.ts';
import type { FailureName, Failures } from '../../src/core/limits/rates/failures.ts';

export interface Backend {
  name: string;
  skip?: string | false;
  open(t: TestContext): Promise<Failures[]>;
}

const ADA = accountOf('one', 'ada@example.com');

function named(of: string, account = ADA, counter = 'device'): FailureName {
  return { counter, account, of };
}

export function testFailures({ name, skip = false, open }: Backend): void {
  const opened = async (t: TestContext) => {
    const nodes = await open(t);
    return { nodes, node: (index: number) => nodes[index % nodes.length]! };
  };
  const timesOf = (failures: Failures, one: FailureName) => failures.change([one], ([times = []]) => [...times]);

  test(`Failures (${name}): changes of one counter follow each other`, { skip }, async (t) => {
    const { node } = await opened(t);
    const name = named('laptop');
    const add = (index: number) => node(index).change([name], ([times]) => times!.push(times!.length));
    await Promise.all(Array.from({ length: 30 }, (_, index) => add(index)));
    assert.deepEqual(
      await timesOf(node(0), name),
      Array.from({ length: 30 }, (_, index) => index),
    );
  });

  test(`Failures (${name}): what a change throws, changes no counter`, { skip }, async (t) => {
    const { node } = await opened(t);
    const both = [named('laptop'), named('phone')];
    const failing = node(0).change(both, (lists) => {
      for (const times of lists) times.push(1);
      throw new Error('refused');
    });
    await assert.rejects(failing, /refused/);
    for (const one of both) assert.deepEqual(await timesOf(node(1), one), []);
  });

  test(`Failures (${name}): counters in any order never deadlock`, { skip }, async (t) => {
    const { node } = await opened(t);
    const names = ['a', 'b', 'c', 'd'].map((of) => named(of));
    const add = (index: number) =>
      node(index).change(index % 2 ? names : names.toReversed(), (lists) => {
        for (const times of lists) times.push(index);
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)));
    for (const one of names) assert.equal((await timesOf(node(0), one)).length, 20);
  });

  test(`Failures (${name}): an account is forgotten at all nodes`, { skip }, async (t) => {
    const { node } = await opened(t);
    const bob = accountOf('one', 'bob@example.com');
    const names = [named('laptop'), named(''), named('laptop', bob), named('laptop', ADA, 'code')];
    for (const [index, one] of names.entries()) await node(index).change([one], ([times]) => times!.push(index));
    const { times } = await node(1).forget('device', ADA);
    assert.deepEqual(times.toSorted(), [0, 1]);
    const left = await Promise.all(names.map((one) => timesOf(node(0), one)));
    assert.deepEqual(left, [[], [], [2], [3]]);
  });

  test(`Failures (${name}): of logins that race ten count`, { skip }, async (t) => {
    const { nodes } = await opened(t);
    const attempts = nodes.map((failures) => new LoginAttempts(failures));
    const attempt = (index: number) => attempts[index % attempts.length]!.fromAddress(ADA, 'home');
    const results = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => attempt(index)));
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(made.length, 10);
    await assert.rejects(attempt(0), { code: 'rate_limited' });
    await made[0]!.undo();
    await made[0]!.undo();
    await attempt(1);
    await assert.rejects(attempt(0), { code: 'rate_limited' });
    assert.equal(await attempts.at(-1)!.unlock(ADA), 10);
    await attempt(0);
  });

  test(`Failures (${name}): of codes that race five count`, { skip }, async (t) => {
    const { nodes } = await opened(t);
    const attempts = nodes.map((failures) => new LoginAttempts(failures));
    const racing = Array.from({ length: 30 }, (_, index) => attempts[index % attempts.length]!.ofCode(ADA));
    const results = await Promise.allSettled(racing);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
  });

  test(`Failures (${name}): an address is slowed by failures anywhere`, { skip }, async (t) => {
    const { nodes } = await opened(t);
    const slowdowns = nodes.map((failures) => new AddressSlowdown(failures));
    const waits: number[] = [];
    for (let count = 0; count < 26; count++) waits.push((await slowdowns[count % nodes.length]!.attempt('home')).wait);
    assert.ok(waits.slice(0, 20).every((wait) => wait === 0));
    // They follow each other by 250 ms, 500 ms, 1 s, 2 s and 4 s, less the time that the test takes.
    assert.ok(waits.at(-1)! > 3_750, `${waits}`);
  });
}
