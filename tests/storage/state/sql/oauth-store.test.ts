import { SqlOAuthStore } from '../../../../src/storage/state/sql/oauth.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { testOAuthStore } from '../../../contracts/oauth-store.ts';
import { newUser } from '../../../contracts/user-store.ts';
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
      await opened.users.put(newUser({ id: 'ada', email: 'ada@example.com', role: 'USER' }));
      await opened.users.put(
        newUser({ id: 'eve', email: 'eve@example.com', role: 'VIEWER', isActive: false, sessionVersion: 7 }),
      );
      return opened;
    },
  });
}
