import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../src/config.ts';

test('loadConfig: query memory is a size of at least 100MB', () => {
  const memory = (size: string) => loadConfig({}, {}, { AGENT_RUNTIME_QUERY_MEMORY: size }).queryMemory;
  for (const size of ['100MB', '0.1GB', '512 mb', '2GB']) assert.equal(memory(size), size);
  for (const size of ['99MB', '0.05GB']) assert.throws(() => memory(size), /QUERY_MEMORY.* must be at least 100MB$/);
  for (const size of ['512', 'much']) assert.throws(() => memory(size), /QUERY_MEMORY.* must look like 512MB or 2GB$/);
});
