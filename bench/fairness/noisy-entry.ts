import { NoisyTenant } from '../../tests/support/fairness/noisy-tenant.ts';
import { fakeUpstream } from '../../tests/support/upstream/server.ts';

/*
 * The noisy tenant in a process of its own, so that its load and the measured requests do not share an
 * event loop. It sends the URL of its endless provider, then obeys one message at a time.
 */

export type NoisyMessage = { do: 'prepare'; url: string; key: string; events: number } | { do: 'start' | 'stop' };

let tenant: NoisyTenant | undefined;

async function obey(message: NoisyMessage): Promise<Record<string, number>> {
  if (message.do === 'prepare') {
    tenant = new NoisyTenant(message);
    await tenant.prepare(message.events);
  } else if (message.do === 'start') tenant?.start();
  else await tenant?.stop();
  return tenant?.answers ?? {};
}

const upstream = await fakeUpstream({ after: () => undefined });
upstream.script({ fault: { type: 'endless' } });
process.on('message', async (message: NoisyMessage) => process.send?.(await obey(message)));
process.once('disconnect', () => process.exit(0));
process.send?.(upstream.baseUrl('custom'));
