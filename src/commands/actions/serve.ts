import { loadConfig } from '../../config.ts';
import { firstRun } from '../../core/access/auth/bootstrap.ts';
import { oauthNotice } from '../../core/access/oauth/addresses.ts';
import { realEffects } from '../../core/base/shared/effects.ts';
import { createLog } from '../../logging/log.ts';
import { refuseTooLittle } from '../../memory/budget.ts';
import { boundHeaps, returnMemoryWhenIdle } from '../../memory/heap.ts';
import { readCertificate } from '../../storage/installation/certificate.ts';
import { StoredKeyRing } from '../../storage/installation/key-ring.ts';
import { InstallationSecret } from '../../storage/installation/secret-key.ts';
import { adminLoginLink, greet } from '../presentation/greeting.ts';
import { onStop } from '../server/listen.ts';
import { serveDirectory } from '../server/serving.ts';
import { surviveExceptions } from '../server/upkeep.ts';

const DRAIN_MS = 10_000;

interface ServeOptions {
  port?: string;
  host?: string;
  dataDir?: string;
  tlsCert?: string;
  tlsKey?: string;
  logLevel?: string;
}

export async function run({ tlsCert, ...flags }: ServeOptions): Promise<void> {
  const config = loadConfig({ ...flags, tlsCertificate: tlsCert });
  const log = createLog(config.logLevel);
  surviveExceptions(log);
  refuseTooLittle(config.memory);
  boundHeaps(config.memory.share);
  // A damaged file fails now and not at the first login.
  new InstallationSecret(config).check();
  new StoredKeyRing(config).read();
  readCertificate(config);
  const { url, stop } = await serveDirectory(config, log, 'serve', (runtime, at) =>
    firstRun({ ...runtime, effects: realEffects }, (made) =>
      greet(made, { url: at, dataDir: config.dataDir }, (lifetimeMs) => adminLoginLink(runtime, at, lifetimeMs)),
    ),
  );
  onStop(async () => {
    log.info('draining');
    await stop(DRAIN_MS);
    log.info('stopped');
  });
  const notice = oauthNotice(config);
  if (notice !== null) log.warn(notice);
  log.info({ url, dataDir: config.dataDir, pid: process.pid }, 'ready');
  process.stdout.write(`Agent Runtime is ready at ${url} (MCP at ${url}/mcp, documentation at ${url}/docs)\n`);
  returnMemoryWhenIdle();
}
