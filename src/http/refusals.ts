import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorRequestHandler } from 'express';
import { type AuditLog, actorOf } from '../core/base/audit/log.ts';
import type { Actor } from '../core/base/audit/store.ts';
import type { Caller } from '../core/base/shared/caller.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';

/** Records 401 and 403 after the response, whose timing must not reveal whether a key exists. */
export function recordRefusals(audit: AuditLog): ErrorRequestHandler {
  return (error, request, response, next) => {
    const refusal = error instanceof RuntimeError && refusedActor(error, response.locals.caller as Caller | undefined);
    if (refusal) {
      const { tenantId, actor, reason } = refusal;
      // The pattern, since a path may contain a secret.
      const details = { method: request.method, route: String(request.route?.path ?? 'unmatched'), reason };
      void nextTurn().then(() => audit.record(actor, tenantId, 'request.refused', null, details));
    }
    next(error);
  };
}

function refusedActor(
  { code, message, refused, maxAge }: RuntimeError,
  caller: Caller | undefined,
): { tenantId: string; actor: Actor; reason: string } | null {
  // Asking for a second factor refuses nothing.
  if (maxAge !== undefined) return null;
  if (code === 'forbidden' && caller) return { tenantId: caller.tenantId, actor: actorOf(caller), reason: message };
  if (code !== 'unauthenticated' || !refused) return null;
  const { tenantId, ...actor } = refused;
  return { tenantId, actor, reason: message };
}
