import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AgentService } from '../../../../src/core/access/auth/agents.ts';
import { ErasingTenants } from '../../../../src/core/access/auth/erasing.ts';
import { KeyAuthenticator } from '../../../../src/core/access/auth/key-authenticator.ts';
import { formatKey, hashSecret, newKey } from '../../../../src/core/access/auth/secrets.ts';
import { TenantService } from '../../../../src/core/access/auth/tenants.ts';
import type { EventStore } from '../../../../src/core/analytics/events/store.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { ErasureService } from '../../../../src/core/erasure.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { SqlAgentStore, SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { sharedStates } from '../../../support/state.ts';

type Place = ReturnType<typeof sharedStates>[number]['place'];

const REFUSED = { code: 'unauthenticated' };

/** Processes on one state, and an API key of the tenant `one`. */
async function processes(t: TestContext, place: Place) {
  const openDatabase = await place(t);
  const open = async () => {
    const database = await openDatabase();
    const audit = { record: async () => undefined };
    const [store, keyStore] = [new SqlTenantStore(database), new SqlKeyStore(database)];
    const agentStore = new SqlAgentStore(database);
    const effects = realEffects;
    const tenants = new TenantService({
      ...{ store, agents: agentStore, audit, effects },
      requireOtherLogin: async () => undefined,
    });
    return {
      ...{ database, store, tenants, keyStore },
      agents: new AgentService({ store: agentStore, tenants, audit, effects }),
      keys: new KeyAuthenticator({ store: keyStore, tenants, effects }),
      erasing: new ErasingTenants({ store, isShared: false, onError: (error) => assert.fail(String(error)) }),
      erasure: (erase: () => Promise<number>) =>
        new ErasureService({
          ...{ tenants, audit, tenantStore: store, events: {} as EventStore },
          conversationsOf: () => assert.fail('no end user is erased'),
          erasers: [{ what: 'things', erase }],
        }),
    };
  };
  const [one, other] = [await open(), await open()];
  const { id, secret } = newKey();
  await one.keyStore.create({
    ...{
      id,
      secretHash: hashSecret(secret),
      tenantId: 'one',
      agentId: null,
      label: 'key',
      scopes: ['*'],
      createdAt: 1,
      createdBy: null,
    },
    ...{ expiresAt: null, lastUsedAt: null, revokedAt: null, formerHash: null, formerUntil: null, limits: null },
  });
  return { one, other, apiKey: formatKey({ id, secret }) };
}

for (const { name, place } of sharedStates()) {
  test(`ErasingTenants (${name}): keys of an erased tenant are refused everywhere`, async (t) => {
    const { one, other, apiKey } = await processes(t, place);
    assert.equal((await other.keys.authenticate(apiKey)).tenantId, 'one');
    assert.equal(await one.tenants.erasing.begin('one'), false);
    await assert.rejects(other.keys.authenticate(apiKey), REFUSED);
    assert.equal((await other.tenants.find('one'))?.isBeingErased, true);
    assert.ok(other.tenants.isBlocked('one'), 'sessions and logins look the tenant up');
    await one.tenants.erasing.end('one', { isErased: false });
    await other.tenants.find('one');
    assert.equal((await other.keys.authenticate(apiKey)).tenantId, 'one');
  });

  test(`ErasingTenants (${name}): nothing writes behind an erasure elsewhere`, async (t) => {
    const { one, other } = await processes(t, place);
    await one.tenants.erasing.begin('one');
    await other.erasing.look();
    assert.ok(other.erasing.isBlocked('one'));
    assert.ok(!other.erasing.isBlocked('two'));
    await one.store.remove('one');
    await other.erasing.look();
    assert.ok(other.erasing.isBlocked('one'), 'it stays refused');
    await one.tenants.erasing.begin('two');
    await other.erasing.look();
    await one.tenants.erasing.end('two', { isErased: false });
    await other.erasing.look();
    assert.ok(!other.erasing.isBlocked('two'), 'its erasure failed');
    await one.tenants.erasing.end('one', { isErased: true });
  });

  test(`AgentService (${name}): agents erased elsewhere are not known`, async (t) => {
    const { one, other } = await processes(t, place);
    const caller = { tenantId: 'one', userId: null };
    await other.agents.register(caller, ['support']);
    await one.tenants.erasing.begin('one');
    await other.tenants.find('one');
    await assert.rejects(other.agents.register(caller, ['support']), REFUSED);
    await one.tenants.erasing.end('one', { isErased: true });
  });

  test(`ErasureService (${name}): an interrupted one can be repeated, and says so`, async (t) => {
    const { one, other, apiKey } = await processes(t, place);
    await one.store.markErasing('one');
    const interrupted = { erasing_since: Date.now() - 3_600_000 };
    await one.database.updateTable('tenants').set(interrupted).where('id', '=', 'one').execute();
    assert.equal((await other.keys.authenticate(apiKey)).tenantId, 'one');
    const { resumed, erased } = await other.erasure(async () => 2).erase({ tenant: 'one' });
    assert.deepEqual([resumed, erased.things], [true, 4]);
    await assert.rejects(one.keys.authenticate(apiKey), REFUSED);
    const first = await other.erasure(async () => 0).erase({ tenant: 'two' });
    assert.equal(first.resumed, false);
  });

  test(`ErasureService (${name}): a failure lets the tenant in again`, async (t) => {
    const { one, other, apiKey } = await processes(t, place);
    const failing = one.erasure(() => {
      assert.ok(one.tenants.isBlocked('one'));
      return Promise.reject(new Error('the disk is full'));
    });
    await assert.rejects(failing.erase({ tenant: 'one' }), /the disk is full/);
    for (const { keys } of [one, other]) assert.equal((await keys.authenticate(apiKey)).tenantId, 'one');
    assert.equal((await one.erasure(async () => 0).erase({ tenant: 'one' })).resumed, true);
  });

  test(`TenantService (${name}): the only process voids interrupted erasures`, async (t) => {
    const { one, other, apiKey } = await processes(t, place);
    await one.store.markErasing('one');
    assert.deepEqual(await other.tenants.erasing.unmarkInterrupted(), ['one']);
    assert.equal((await other.keys.authenticate(apiKey)).tenantId, 'one');
    assert.deepEqual(await other.tenants.erasing.unmarkInterrupted(), []);
    assert.equal((await other.erasure(async () => 0).erase({ tenant: 'one' })).resumed, true);
  });
}
