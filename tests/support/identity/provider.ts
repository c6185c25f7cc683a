import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REDIRECT } from '../oauth.ts';
import { cleanEnvironment } from '../process.ts';
import type { Account, AgentPolicy, ProviderSettings } from './provider-process.ts';

const PROCESS = fileURLToPath(new URL('./provider-process.ts', import.meta.url));

export const CLIENT = { clientId: 'agent-runtime', clientSecret: 'a-secret-of-the-client-0123456789' };

export const HOST = { clientId: 'mcp-host', clientSecret: 'a-secret-of-the-host-0123456789', redirectUri: REDIRECT };

export interface RunningProvider {
  issuer: string;
  port: number;
  /** Who is logged in next. */
  use(account: Account | 'denied'): Promise<void>;
  /** For whom ID tokens are exchanged for assertions. */
  allow(agent: AgentPolicy): Promise<void>;
  end(): Promise<void>;
}

type Registered = Pick<ProviderSettings, 'redirectUri' | 'backchannelLogoutUri'> & { port?: number };

/** oidc-provider in a process of its own, on a loopback port. Gone after the test. */
export async function startProvider(t: Pick<TestContext, 'after'>, registered: Registered): Promise<RunningProvider> {
  const settings: ProviderSettings = { port: 0, ...CLIENT, host: HOST, ...registered };
  const child = fork(PROCESS, {
    env: cleanEnvironment({ PROVIDER_SETTINGS: JSON.stringify(settings), NODE_NO_WARNINGS: '1' }),
    silent: true,
  });
  let said = '';
  child.stderr?.on('data', (text) => {
    said += String(text);
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  t.after(end);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`the provider ended: ${said}`)));
  failed.catch(() => undefined);
  const message = () => Promise.race([once(child, 'message').then(([first]) => first as { issuer: string }), failed]);
  const { issuer } = await message();
  const tell = async (told: object) => {
    const done = message();
    child.send(told);
    await done;
  };
  return {
    issuer,
    port: Number(new URL(issuer).port),
    use: (account) => tell({ account }),
    allow: (agent) => tell({ agent }),
    end,
  };
}
