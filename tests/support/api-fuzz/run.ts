import assert from 'node:assert/strict';
import { type Fixture, MARKS } from './fixture.ts';
import { type Operation, operations } from './operations.ts';
import { learn, type NOUNS } from './pools.ts';
import { type Random, randomOf } from './random.ts';
import { type FuzzedRequest, requestOf } from './requests.ts';
import { check } from './rules.ts';
import { type Answer, curlOf, send } from './wire.ts';

/** How often an operation was asked, and what it answered. */
export interface Tally {
  requests: number;
  good: number;
  taken: number;
  refused: number;
  busy: number;
}

export interface Run {
  seed: number;
  tallies: Map<string, Tally>;
}

export interface Limits {
  /** Called before each request. */
  goesOn(made: number): boolean;
  /** How many are under way at once; with one alone a seed makes the same requests again. */
  lanes?: number;
  /** Called with what is wrong, in place of ending the run with it. */
  onFault?(error: Error): void;
}

/** Asks each operation for something right first, and then any of them for anything. */
export async function fuzz(
  fixture: Fixture,
  seed: number,
  { goesOn, lanes = 1, onFault = raise }: Limits,
): Promise<Run> {
  const tallies = new Map(operations.map(({ id }): [string, Tally] => [id, newTally()]));
  let made = 0;
  const one = async (operation: Operation, random: Random, first: boolean) => {
    made += 1;
    const request = await requestOf(operation, fixture, random, first);
    const answer = await answered(fixture, request, `seed ${seed}, request ${made}`).catch(onFault);
    if (!answer || answer === 'closed') return;
    count(tallies.get(operation.id)!, request, answer.status);
    if (request.credential.tenant !== 'own' || request.mayBeAnother) return;
    if (answer.status < 300) learn(fixture.own, operation.id, jsonOf(answer));
  };
  const first = randomOf(seed);
  for (const operation of operations) await one(operation, first, true);
  const lane = async (index: number) => {
    const random = randomOf(seed + index);
    while (goesOn(made)) await one(random.oneOf(operations), random, false);
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  return { seed, tallies };
}

function raise(error: Error): never {
  throw error;
}

async function answered(fixture: Fixture, request: FuzzedRequest, at: string): Promise<Answer | 'closed'> {
  const { url } = fixture.app;
  let answer: Answer | 'closed' | undefined;
  try {
    answer = await send(url, request);
    check(request, answer);
    assert.deepEqual(fixture.faults.splice(0), [], 'the log tells of a fault');
    return answer;
  } catch (error) {
    const { operation, kind, credential } = request;
    const said =
      answer === undefined || answer === 'closed'
        ? answer
        : `${answer.status} ${answer.body.toString().slice(0, 2_000)}`;
    const title = `${at}: ${operation.id} (${kind}, credential "${credential.name}"): ${(error as Error).message}`;
    throw new Error(`${title}\n${curlOf(url, request)}\nanswered: ${said}`, { cause: error });
  }
}

function newTally(): Tally {
  return { requests: 0, good: 0, taken: 0, refused: 0, busy: 0 };
}

function count(tally: Tally, { kind }: FuzzedRequest, status: number): void {
  tally.requests += 1;
  if (kind === 'good') tally.good += 1;
  if (status < 400) tally.taken += 1;
  else if (status < 500) tally.refused += 1;
  else if (status === 503) tally.busy += 1;
}

function jsonOf({ headers, body }: Answer): unknown {
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(body.toString()) : undefined;
}

/** The same for all operations together. */
export function totalOf({ tallies }: Run): Tally {
  const total = newTally();
  for (const tally of tallies.values()) {
    for (const name of Object.keys(total) as (keyof Tally)[]) total[name] += tally[name];
  }
  return total;
}

/** The server is healthy, its log has no fault, and the other tenant's records are unchanged. */
export async function assertUnchanged({ app, rival, rivalKey, faults }: Fixture): Promise<void> {
  for (const path of ['/healthz', '/readyz']) assert.equal((await app.request('GET', path)).status, 200, path);
  assert.deepEqual(faults, []);
  const headers = { 'x-api-key': rivalKey };
  const pathOf: Partial<Record<(typeof NOUNS)[number], string>> = {
    executions: '/api/v1/runtime/v1/observability/executions',
    reviews: '/api/v1/runtime/v1/observability/reviews',
    cards: '/api/v1/runtime/observability/dashboard-cards',
    tabs: '/api/v1/runtime/observability/dashboard-tabs',
    jobs: '/api/v1/runtime/v1/vectors/ingestion-jobs',
  };
  for (const [noun, path] of Object.entries(pathOf)) {
    for (const id of rival.of(noun as (typeof NOUNS)[number])) {
      const { status, body } = await app.request('GET', `${path}/${id}`, undefined, headers);
      assert.equal(status, 200, `${path}/${id}`);
      assert.match(JSON.stringify(body), new RegExp(MARKS.rival), `${path}/${id} is not as it was`);
    }
  }
}
