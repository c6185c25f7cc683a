import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/* With --import: writes the addresses of the modules that the main thread loads into the file LOADED_MODULES. */

const loaded: string[] = [];

if (isMainThread) {
  registerHooks({
    load(url, context, nextLoad) {
      loaded.push(url);
      return nextLoad(url, context);
    },
  });
  process.on('exit', () => writeFileSync(process.env.LOADED_MODULES!, `${loaded.join('\n')}\n`));
}
