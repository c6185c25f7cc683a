import express, { type Express } from 'express';
import { z } from 'zod';
import { Mutex } from '../core/base/concurrency/mutex.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { parse } from '../core/base/shared/parse.ts';
import { erasureSchema } from '../core/erasure.ts';
import type { Services } from '../core/services.ts';
import type { Log } from '../logging/log.ts';
import { errorHandler, HttpError } from './errors.ts';

/* Operations for commands, served without a key on a socket that only this user may open. */

export interface OwnerOperation<Input extends z.ZodType = z.ZodType, Output = unknown> {
  input: Input;
  run(services: Services, input: z.output<Input>): Promise<Output>;
}

export const ownerOperations = {
  'stage-backup': operation({ input: z.strictObject({}), run: (services) => services.stageBackup() }),
  'compact-events': operation({ input: z.strictObject({}), run: (services) => services.compactEvents() }),
  'tenant-usage': operation({
    input: z.strictObject({ tenant: z.string().min(1) }),
    run: ({ usage }, { tenant }) => usage.ofTenant(tenant),
  }),
  'unlock-user': operation({
    input: z.strictObject({ user: z.string().min(1), tenant: z.string().min(1).optional() }),
    run: async ({ tenants, users, logins }, { user, tenant }) => {
      const tenantId = tenant === undefined ? null : (await tenants.get(tenant)).id;
      return logins.unlock(await users.named(user, tenantId));
    },
  }),
  'login-link': operation({
    input: z.strictObject({
      user: z.string().min(1),
      tenant: z.string().min(1).optional(),
      minutes: z.int().min(1).max(60),
    }),
    run: async ({ tenants, users, logins }, { user, tenant, minutes }) => {
      const tenantId = tenant === undefined ? null : (await tenants.get(tenant)).id;
      return logins.issueOperatorLink(await users.named(user, tenantId), minutes);
    },
  }),
  erase: operation({ input: erasureSchema, run: ({ erasure }, input) => erasure.erase(input) }),
};

export type OwnerOperations = typeof ownerOperations;

/** An older program does not send it. */
export const OPERATION_HEADER = 'x-operation';

/** Serves `POST <path><name>`, one operation at a time (mutex). */
export function createOperationsApp(path: string, { services, log }: { services: Services; log: Log }): Express {
  const app = express();
  app.disable('x-powered-by');
  const mutex = new Mutex();
  app.post(`${path}:name`, express.json({ strict: false }), async (request, response) => {
    const name = String(request.params.name);
    if (!Object.hasOwn(ownerOperations, name)) throw new HttpError(404, `There is no operation ${name}.`);
    response.setHeader(OPERATION_HEADER, name);
    const { input, run } = ownerOperations[name as keyof OwnerOperations] as OwnerOperation;
    if (request.body === undefined) throw invalid('body: is required');
    const parsed = parse(input, request.body);
    response.json(await mutex.runExclusive(() => run(services, parsed)));
  });
  app.use((request) => {
    throw new HttpError(404, `There is nothing at ${request.method} ${request.path}.`);
  });
  app.use(errorHandler(log));
  return app;
}

function operation<Input extends z.ZodType, Output>(
  definition: OwnerOperation<Input, Output>,
): OwnerOperation<Input, Output> {
  return definition;
}
