import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Looks for these secrets, or what begins as they do: they may have been cut. */
export function searchFor(secrets: readonly string[]) {
  const assertWithoutSecrets = (what: string, text: string): void => {
    const found = secrets.flatMap((secret) => {
      const at = text.indexOf(secret);
      return at === -1 ? [] : [text.slice(Math.max(0, at - 200), at + 200)];
    });
    assert.deepEqual(found, [], what);
  };
  const assertKeepsNone = (dataDir: string): void => {
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(dataDir, name))
      .filter((path) => statSync(path).isFile());
    assert.ok(files.length > 3);
    for (const path of files) assertWithoutSecrets(path, readFileSync(path, 'latin1'));
  };
  return { assertWithoutSecrets, assertKeepsNone };
}
