import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownershipForCommand } from '../../app/operate.ts';
import { refuseCutOff } from '../../backup/replace.ts';
import { type ConfigInput, loadConfig } from '../../config.ts';
import { createLog } from '../../logging/log.ts';
import { returnMemoryWhenIdle } from '../../memory/heap.ts';
import { OWNER_LOCK } from '../../ownership/owner-lock.ts';
import { isInstalled } from '../../storage/installation/installation.ts';
import { isUnusableFile } from '../../storage/installation/unusable.ts';
import { currentInvocation } from '../presentation/invocation.ts';
import { onStop } from '../server/listen.ts';
import { surviveExceptions } from '../server/upkeep.ts';

const FIRST_START_TIMEOUT_MS = 5_000;

export async function run(flags: ConfigInput): Promise<void> {
  const config = loadConfig(flags, { logLevel: 'warn' });
  const { apiKey } = config;
  if (apiKey === undefined) {
    throw new Error(
      `AGENT_RUNTIME_API_KEY is not set. Set it to a key with the scope mcp:read; \`${currentInvocation().line('keys')} create --label mcp --scopes mcp:read\` makes one.`,
    );
  }
  const log = createLog(config.logLevel);
  surviveExceptions(log);
  returnMemoryWhenIdle();
  const { bridgeStdio, mcpUrl } = await import('../../tools/bridge.ts');
  if (config.url !== undefined) {
    const url = mcpUrl(config.url);
    await bridgeStdio({
      url,
      apiKey,
      fetch: (to, init) => fetch(to, init),
      log,
      keyHint: `It was sent to ${url.href}.`,
    });
    process.exit(0);
  }
  refuseCutOff(config.dataDir);
  // A mistyped directory must not become a new workspace.
  if (config.nodes === null && !(await hasState(config.dataDir))) {
    throw new Error(
      `There is no Agent Runtime data in ${config.dataDir}. Start "serve" on that directory once, or set AGENT_RUNTIME_DATA_DIR to the right one.`,
    );
  }
  const ownership = ownershipForCommand(config, log, 'mcp', (error) => {
    if (isUnusableFile(error)) exitWith(error);
    log.error({ err: error }, 'the data directory could not be opened');
  });
  void ownership.watch();
  onStop(() => ownership.close());
  await bridgeStdio({
    url: new URL('http://localhost/mcp'),
    apiKey,
    fetch: ownership.fetch,
    log,
    keyHint: `It is none of the data directory ${config.dataDir}.`,
  });
  await ownership.close();
  process.exit(0);
}

/** Waits for a first `serve` that starts at the same login. */
async function hasState(dataDir: string): Promise<boolean> {
  const deadline = Date.now() + FIRST_START_TIMEOUT_MS;
  while (!isInstalled(dataDir)) {
    if (!existsSync(join(dataDir, OWNER_LOCK)) || Date.now() >= deadline) return false;
    await sleep(50);
  }
  return true;
}

function exitWith(error: Error): never {
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}
