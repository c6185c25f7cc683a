import type { RequestHandler } from 'express';
import type { IsTrustedProxy } from '../core/base/shared/trusted-proxies.ts';
import type { Log } from '../logging/log.ts';

/** Only if a public URL implies a proxy: otherwise any client could cause the warning. */
export function warnOfUntrustedProxy(isTrusted: IsTrustedProxy, log: Log): RequestHandler {
  let warned = false;
  return ({ headers, socket: { remoteAddress } }, _response, next) => {
    const isForwarded = headers['x-forwarded-for'] !== undefined && remoteAddress !== undefined;
    if (!warned && isForwarded && !isTrusted(remoteAddress)) {
      warned = true;
      log.warn(
        { peer: remoteAddress },
        'X-Forwarded-For is ignored: the peer is not in AGENT_RUNTIME_TRUSTED_PROXIES. All of its clients count as one address; add it if it is your proxy',
      );
    }
    next();
  };
}
