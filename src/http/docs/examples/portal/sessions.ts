import type { Examples } from '../example.ts';
import { secondFactorNeeded } from './second-factor.ts';

const ada = {
  id: '019cae1c-a74a-78ff-8347-8ff347398ff3',
  email: 'ada@example.com',
  name: 'Ada Lima',
  role: 'ADMIN',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
};

export const portalSessionExamples: Examples = {
  postPortalLogin: {
    ada: {
      summary: 'An administrator logs in',
      body: { email: 'ada@example.com', password: 'correct horse battery staple' },
      status: 200,
      answer: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiQURNSU4ifQ.c2lnbmF0dXJl',
        expiresAt: '2026-03-02T21:45:26.000Z',
        user: ada,
      },
    },
    secondFactor: {
      summary: 'A user with a second factor',
      body: { email: 'bob@example.com', password: 'seven green bicycles' },
      status: 202,
      answer: secondFactorNeeded,
    },
    ofTenant: {
      summary: 'The same login, with the tenant named',
      body: { email: 'ada@example.com', password: 'correct horse battery staple', tenant: 'default' },
      status: 200,
      answer: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiQURNSU4iLCJuIjoyfQ.c2lnbmF0dXJl',
        expiresAt: '2026-03-02T21:47:02.000Z',
        user: ada,
      },
    },
  },
  postPortalLoginLink: {
    demo: {
      summary: 'The link of a demo',
      body: { secret: 'kV0tqQ3v5mYw8ZbH2sXc7LpRj1NfGd6TaEuWo9BiKxM' },
      status: 200,
      answer: {
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiU1VQRVJfQURNSU4ifQ.c2lnbmF0dXJl',
        expiresAt: '2026-03-02T21:45:26.000Z',
        user: ada,
      },
    },
  },
  postPortalLogout: { ada: { summary: 'An administrator logs out', body: {}, status: 204 } },
  getPortalSessions: {
    two: {
      summary: 'Two sessions, the newer of which asks',
      status: 200,
      answer: {
        sessions: [
          {
            id: '019cae1c-b1c2-7d3e-8a4f-1b2c3d4e5f60',
            current: true,
            createdAt: '2026-03-02T09:47:02.000Z',
            lastSeenAt: '2026-03-02T09:47:02.000Z',
            expiresAt: '2026-03-02T21:47:02.000Z',
            address: '127.0.0.1',
            userAgent: 'node',
          },
          {
            id: '019cae1c-afe1-7c2d-9b3a-0a1b2c3d4e5f',
            current: false,
            createdAt: '2026-03-02T09:45:26.000Z',
            lastSeenAt: '2026-03-02T09:45:26.000Z',
            expiresAt: '2026-03-02T21:45:26.000Z',
            address: '127.0.0.1',
            userAgent: 'node',
          },
        ],
        total: 2,
        limit: 50,
        offset: 0,
      },
    },
  },
  deletePortalSessionsId: {
    older: {
      summary: 'The older session is ended',
      params: { id: '019cae1c-afe1-7c2d-9b3a-0a1b2c3d4e5f' },
      status: 204,
    },
  },
  deletePortalSessions: {
    others: { summary: 'All others are ended: there are none', status: 200, answer: { ended: 0 } },
  },
  getPortalMe: {
    ada: {
      summary: 'An administrator',
      status: 200,
      answer: {
        user: ada,
        tenant: { id: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a', name: 'default', timezone: 'UTC' },
        scopes: ['*'],
      },
    },
  },
};
