import { type Caller, requirePortal } from '../shared/caller.ts';
import type { Settings, Tenant } from './schema.ts';
import type { AuthService } from './service.ts';

/** What a tenant has chosen for itself, for its portal users. */
export class SettingsService {
  private readonly auth: AuthService;

  constructor(auth: AuthService) {
    this.auth = auth;
  }

  async settings(caller: Caller): Promise<Settings> {
    requirePortal(caller, 'user');
    return settingsOf(await this.auth.tenant(caller.tenantId));
  }

  /** Changes what is named. Throws `invalid` for a time zone that there is not. */
  async update(caller: Caller, changes: Partial<Settings>): Promise<Settings> {
    requirePortal(caller, 'administrator');
    return settingsOf(await this.auth.changeSettings(caller.tenantId, changes, caller));
  }
}

function settingsOf({ timezone, retentionDays }: Tenant): Settings {
  return { timezone, retentionDays };
}
