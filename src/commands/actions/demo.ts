import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, providerEnvironment } from '../../config.ts';
import { createLog } from '../../logging/log.ts';
import { onStop } from '../server/listen.ts';
import { type Serving, serveDirectory } from '../server/serving.ts';

export async function run(options: { port: string; keepServing: boolean }): Promise<void> {
  let ending = false;
  let served: Promise<Serving> | undefined;
  const end = async () => {
    ending = true;
    const serving = await served?.catch(() => undefined);
    await serving?.stop(1_000);
  };
  // Before any file exists, so that every signal cleans up.
  onStop(async () => {
    await end();
    process.stdout.write('\nStopped; the data is thrown away.\n');
  });
  process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-demo-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  // Other variables may configure a real installation.
  const flags = { dataDir, port: options.port, host: '127.0.0.1', logLevel: 'error' };
  const config = loadConfig(flags, {}, providerEnvironment());
  served = serveDirectory(config, createLog(config.logLevel), 'demo');
  try {
    const { presentDemo } = await import('../demo/presentation.ts');
    await presentDemo(await served, { dataDir, keepServing: options.keepServing });
  } catch (error) {
    // Requests that Ctrl-C aborted are not reported.
    if (ending) await new Promise(() => undefined);
    await end();
    throw error;
  }
  if (!options.keepServing) await end();
}
