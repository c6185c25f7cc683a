import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type ContentOptions, FetchFailed, fetchContent } from '../../src/outbound/content.ts';
import type { Dispatchers } from '../../src/outbound/dispatchers.ts';
import { rejectionOf, testDispatchers } from './support.ts';

const LIMITS: ContentOptions = { allowPrivateNetwork: true, maxBytes: 10_000, timeoutMs: 60_000 };

/** Fetches with limits of the tests, which the options override. */
export function get(
  t: TestContext,
  url: string,
  options: Partial<ContentOptions> = {},
  connections: Dispatchers = testDispatchers(t),
) {
  return fetchContent(url, { ...LIMITS, ...options }, connections);
}

/** The message for the caller. */
export async function refusalOf(fetched: Promise<unknown>): Promise<string> {
  const error = await rejectionOf(fetched);
  assert.ok(error instanceof FetchFailed, String(error));
  return error.message;
}
