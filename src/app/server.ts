import type { Config } from '../config.ts';
import { trustedProxies } from '../core/base/network/addresses.ts';
import type { Effects } from '../core/base/shared/effects.ts';
import { ServerStopped } from '../core/base/shared/errors.ts';
import { createApp } from '../http/app.ts';
import { mcpHandlers } from '../http/mcp/endpoint.ts';
import { metricsHandlers } from '../http/metrics.ts';
import { oauthBaseOf } from '../http/oauth/address.ts';
import { createOperationsApp } from '../http/owner-operations.ts';
import type { Shutdown } from '../http/pipeline.ts';
import type { Log } from '../logging/log.ts';
import { OPERATIONS_PATH, type OwnedServer } from '../ownership/owner.ts';
import { PortalFiles } from '../portal/files.ts';
import type { OpenEventStore } from './event-store.ts';
import { openRuntime, type Runtime } from './runtime.ts';

/** Only uploads wait to be read. */
const STOPPED_WAITING = 'The server was stopped before the file was read; nothing was stored. Send it again.';

export async function openServer(
  config: Config,
  log: Log,
  effects?: Effects,
  openStore?: OpenEventStore,
  { isForCopy = false }: { isForCopy?: boolean } = {},
): Promise<OwnedServer & { runtime: Runtime }> {
  const runtime = await openRuntime(config, log, effects, openStore);
  try {
    // From now on this is an installation of its own: another import would remove what is written
    // here.
    if (!isForCopy) await runtime.installation.forget('import');
    const operations = createOperationsApp(OPERATIONS_PATH, { services: runtime, log });
    const [begun, stopping] = [new AbortController(), new AbortController()];
    return {
      runtime,
      listener: createServerApp(runtime, { begun: begun.signal, stopping: stopping.signal }),
      operations,
      refuseWaiting: () => begun.abort(new ServerStopped(STOPPED_WAITING)),
      abortRequests: () => stopping.abort(new ServerStopped()),
      close: () => runtime.close(),
    };
  } catch (error) {
    await runtime.close(); // Its threads would keep the process alive.
    throw error;
  }
}

export function createServerApp(runtime: Runtime, shutdown?: Shutdown) {
  const { config, log, metrics, expose, oauthServers, limits, memoryGuard } = runtime;
  const publicUrl = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const allowedHosts = [...config.allowedHosts, ...(publicUrl ? [publicUrl.hostname] : []), config.host];
  const portalFiles = new PortalFiles();
  const baseOf = oauthBaseOf(config.publicUrl);
  return createApp({
    services: runtime,
    shutdown,
    log,
    metrics,
    isTrustedProxy: trustedProxies(config.trustedProxies),
    // With a certificate, a public URL may be the address of this server.
    expectsProxy: config.publicUrl !== undefined && config.tlsCertificate === undefined,
    allowedHosts,
    allowedOrigins: config.allowedOrigins,
    portalFiles,
    publicUrl: config.publicUrl,
    memory: { share: config.memory.share, guard: memoryGuard },
    oauth: { servers: oauthServers, baseOf, isLimited: config.rateLimit > 0, buckets: limits.buckets('oauth') },
    basePath: publicUrl?.pathname.replace(/\/*$/, '/') ?? '/',
    exposition: metricsHandlers({ token: config.metricsToken, expose }),
    mcp: mcpHandlers({
      services: runtime,
      log,
      factory: async (requests) => {
        const { toolServerFactory } = await import('../tools/server.ts');
        const cardApp = () => portalFiles.text('card.html');
        return toolServerFactory({ services: runtime, watch: runtime, ...requests, cardApp });
      },
      scopesOfTool: async (name, caller) => {
        const { scopesOfTool } = await import('../tools/server.ts');
        return scopesOfTool(name, caller, runtime);
      },
      allowedHosts,
      allowedOrigins: config.allowedOrigins,
      baseOf,
    }),
  });
}
