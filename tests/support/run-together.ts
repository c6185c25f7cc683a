import { Server } from 'node:net';
import { basename } from 'node:path';
import { after, describe } from 'node:test';
import { endFile } from './shared.ts';
import { filesOfSuites, pathOf } from './suites.ts';

/** Runs the files of the suite that the calling file is named after, each as a `describe` of its own. */
export function runTogether(url: string): void {
  const name = basename(url, '.ts');
  if (name.startsWith('fast-')) refuseServers();
  for (const file of filesOfSuites().get(name) ?? []) {
    describe(file, async () => {
      after(endFile);
      await import(pathOf(file));
    });
  }
}

function refuseServers(): void {
  Server.prototype.listen = () => {
    throw new Error('A fast suite starts no server: name the file in ALONE, or move it to another suite.');
  };
}
