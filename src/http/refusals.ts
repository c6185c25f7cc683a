import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorRequestHandler } from 'express';
import { type AuditLog, actorOf } from '../core/audit/log.ts';
import type { Actor } from '../core/audit/store.ts';
import type { Caller } from '../core/shared/caller.ts';
import { RuntimeError } from '../core/shared/errors.ts';

/**
 * Writes refused requests of known tenants (401, 403) to their audit logs. After the answer: a write takes long enough to
 * tell a key that is known from one that is not.
 */
export function recordRefusals(audit: AuditLog): ErrorRequestHandler {
  return (error, request, response, next) => {
    const who = error instanceof RuntimeError && refusedActor(error, response.locals.caller as Caller | undefined);
    if (who) {
      const { tenantId, actor, reason } = who;
      // The route's pattern: a path may hold what must not be written down.
      const details = { method: request.method, route: String(request.route?.path ?? 'unmatched'), reason };
      void nextTurn().then(() => audit.record(actor, tenantId, 'request.refused', null, details));
    }
    next(error);
  };
}

function refusedActor(
  { code, message, refused }: RuntimeError,
  caller: Caller | undefined,
): { tenantId: string; actor: Actor; reason: string } | null {
  if (code === 'forbidden' && caller) return { tenantId: caller.tenantId, actor: actorOf(caller), reason: message };
  if (code !== 'unauthenticated' || !refused) return null;
  const { tenantId, ...actor } = refused;
  return { tenantId, actor, reason: message };
}
