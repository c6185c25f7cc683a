import { testOAuthStore } from '../../../contracts/oauth-store.ts';
import { MemoryOAuthStore } from '../../../support/memory-oauth-store.ts';

const USERS = [
  { id: 'ada', tenantId: 'one', email: 'ada@example.com', role: 'USER', isActive: true, sessionVersion: null },
  { id: 'eve', tenantId: 'one', email: 'eve@example.com', role: 'VIEWER', isActive: false, sessionVersion: 7 },
] as const;

const stores = new Map<string, MemoryOAuthStore>();
let directories = 0;

testOAuthStore({
  name: 'memory',
  directory: () => `memory ${++directories}`,
  open: async (directory) => {
    const store = stores.get(directory) ?? new MemoryOAuthStore(USERS);
    stores.set(directory, store);
    return { store, close: async () => undefined };
  },
});
