import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitationMail } from '../../../../src/core/access/invitations/message.ts';
import { type InvitationParts, InvitationService } from '../../../../src/core/access/invitations/service.ts';
import { createUserSchema } from '../../../../src/core/access/users/schema.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { addUser, callerOf } from '../../../support/users.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });
const CLIENT = { address: '198.51.100.7' };
const NOBODY = 'x'.repeat(43);

/** A service over the shared app that counts the attempts of addresses. */
async function counted(parts: Partial<InvitationParts> = {}) {
  const { runtime, tenantId } = await sharedApp();
  const { invitationStore: store, userStore: users, tenants, passwords, loginSteps, audit, effects } = runtime;
  const attempts = { begun: 0, undone: 0 };
  const service = new InvitationService({
    ...{ store, users, tenants, passwords, audit, effects, mailer: null },
    attemptOf: async () => {
      attempts.begun += 1;
      return {
        undo: async () => {
          attempts.undone += 1;
        },
      };
    },
    admit: (...given) => loginSteps.admit(...given),
    linksByEmail: async () => false,
    ...parts,
  });
  const admin = callerOf(await addUser({ runtime }, { role: 'ADMIN', tenant: tenantId }));
  const secretFor = async (email: string) => {
    const { link } = await service.create(admin, { email, role: 'USER', mail: false }, (secret) => secret);
    return link;
  };
  return { service, attempts, admin, secretFor, runtime, tenantId };
}

test('InvitationService: wrong secrets count against the address, right ones do not', async () => {
  const { service, attempts, secretFor } = await counted();
  const secret = await secretFor('counted@example.com');
  await service.describe(secret, CLIENT);
  assert.deepEqual(attempts, { begun: 1, undone: 1 });
  const given = { secret, name: 'Counted', password: 'password1234', session: undefined };
  await assert.rejects(service.accept(given, CLIENT), { code: 'unprocessable' });
  assert.deepEqual(attempts, { begun: 2, undone: 2 });
  await assert.rejects(service.describe(NOBODY, CLIENT), { code: 'gone' });
  await assert.rejects(service.accept({ ...given, secret: NOBODY }, CLIENT), { code: 'gone' });
  assert.deepEqual(attempts, { begun: 4, undone: 2 });
});

test('InvitationService: a user who came in between keeps the e-mail', async () => {
  const { service, secretFor, runtime, tenantId } = await counted();
  const secret = await secretFor('between@example.com');
  const between = parse(createUserSchema, { email: 'Between@example.com', name: 'Quicker', role: 'VIEWER' });
  const user = await runtime.users.create(tenantId, between, null);
  const given = { secret, name: 'Slower', password: 'eleven orange tricycles', session: undefined };
  await assert.rejects(service.accept(given, CLIENT), { code: 'conflict' });
  assert.deepEqual(
    (await runtime.userStore.findByEmail('between@example.com', tenantId)).map(({ id }) => id),
    [user.id],
  );
});

test('invitationMail: names cannot add lines', () => {
  const { title, text } = invitationMail({
    tenant: 'Acme\nReply-To: x',
    inviter: { name: 'Ada\r\nBcc: y', email: 'ada@example.com' },
    role: 'USER',
    link: 'https://kpi.example.com/invitation#secret',
    expiresAt: '2026-03-09T10:00:20.000Z',
  });
  assert.doesNotMatch(title, /[\r\n]/);
  assert.equal(text.split('\n').length, 6);
  assert.ok(text.includes('https://kpi.example.com/invitation#secret'));
});
