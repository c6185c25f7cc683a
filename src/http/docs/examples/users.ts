import type { Examples } from './example.ts';

const user = {
  id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62',
  email: 'ana@example.com',
  name: 'Ana Silva',
  phone: '+55 11 91234-5678',
  avatarUrl: null,
  role: 'USER',
  isActive: true,
  lastLoginAt: null,
  createdAt: '2026-03-02T10:00:20.000Z',
  updatedAt: '2026-03-02T10:00:20.000Z',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
  metadata: {},
  _count: { agents: 0, credentials: 0, executions: 0 },
};

export const usersExamples: Examples = {
  postPortalUsers: {
    ana: {
      summary: 'A user who may log in',
      body: {
        email: 'ana@example.com',
        name: 'Ana Silva',
        role: 'USER',
        phone: '+55 11 91234-5678',
        password: 'seven green bicycles',
      },
      status: 201,
      answer: user,
    },
  },
  getPortalUsers: {
    search: {
      summary: 'Users by a part of their name',
      query: { search: 'silva', limit: '10' },
      answer: { users: [user], total: 1, limit: 10, offset: 0 },
    },
  },
  getPortalUsersId: {
    ana: { summary: 'One user', params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' }, answer: user },
  },
  patchUsersId: {
    viewer: {
      summary: 'Another role, and no phone any more',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      body: { role: 'VIEWER', phone: null },
      answer: { ...user, phone: null, role: 'VIEWER', updatedAt: '2026-03-02T10:01:19.000Z' },
    },
  },
  patchPortalUsersId: {
    inactive: {
      summary: 'A user who may not log in any more',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      body: { isActive: false },
      answer: { ...user, phone: null, role: 'VIEWER', isActive: false, updatedAt: '2026-03-02T10:01:27.000Z' },
    },
  },
  putPortalUsersIdPassword: {
    ana: {
      summary: 'A new password',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      body: { password: 'nine yellow umbrellas' },
    },
  },
  deletePortalUsersIdSessions: {
    ana: {
      summary: 'A user who is not logged in',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      answer: { ended: 0 },
    },
  },
  postPortalMePassword: {
    changed: {
      summary: 'A new password of your own',
      body: { currentPassword: 'correct horse battery staple', password: 'four purple typewriters' },
    },
  },
};
