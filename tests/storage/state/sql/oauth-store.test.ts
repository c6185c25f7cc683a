import type { StoredUser } from '../../../../src/core/access/users/store.ts';
import { SqlOAuthStore } from '../../../../src/storage/state/sql/oauth.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testOAuthStore } from '../../../contracts/oauth-store.ts';
import { stateBackends } from '../../../support/state.ts';

const backends = stateBackends((database) => ({
  store: new SqlOAuthStore(database),
  users: new SqlUserStore(database),
}));

for (const { open, ...backend } of backends) {
  testOAuthStore({
    ...backend,
    open: async (directory) => {
      const opened = await open(directory);
      await opened.users.put(user('ada', { role: 'USER' }));
      await opened.users.put(user('eve', { role: 'VIEWER', isActive: false, sessionVersion: 7 }));
      return opened;
    },
  });
}

function user(id: string, members: Partial<StoredUser>): StoredUser {
  return {
    id,
    tenantId: 'one',
    email: `${id}@example.com`,
    name: id,
    phone: null,
    avatarUrl: null,
    role: 'USER',
    isActive: true,
    passwordHash: null,
    sessionVersion: null,
    lastLoginAt: null,
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
    ...members,
  };
}
