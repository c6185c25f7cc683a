import type { Examples } from '../example.ts';
import { ada, loggedInAnswer, secondFactorNeeded } from './second-factor.ts';

export const portalSessionExamples: Examples = {
  postPortalLogin: {
    ada: {
      summary: 'An administrator logs in',
      body: { email: 'ada@example.com', password: 'correct horse battery staple' },
      answer: loggedInAnswer,
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
      answer: { ...loggedInAnswer, token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiU1VQRVJfQURNSU4ifQ.c2lnbmF0dXJl' },
    },
  },
  postPortalLogout: { ada: { summary: 'An administrator logs out', body: {} } },
  getPortalSessions: {
    two: {
      summary: 'Two sessions, the newer of which asks',
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
    },
  },
  getPortalSessionsAll: {
    ada: {
      summary: 'The sessions of a user, among those of everybody',
      query: { search: 'ada', limit: '1' },
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
            user: { id: ada.id, name: ada.name, email: ada.email, role: 'ADMIN' },
          },
        ],
        total: 1,
        limit: 1,
        offset: 0,
      },
    },
  },
  deletePortalSessionsAll: {
    others: { summary: 'Everybody but you is logged out: nobody else was in', answer: { ended: 0 } },
  },
  deletePortalSessions: {
    others: { summary: 'All others are ended: there are none', answer: { ended: 0 } },
  },
  getPortalMe: {
    ada: {
      summary: 'An administrator',
      answer: {
        user: ada,
        tenant: { id: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a', name: 'default', timezone: 'UTC' },
        scopes: ['*'],
        limits: [],
        operates: false,
      },
    },
  },
};
