import type { Command } from 'commander';
import type { Tenant } from '../core/auth/schema.ts';
import { alignedTable } from '../text.ts';
import { type AdministrationOptions, administer, print, withAdministration } from './options.ts';

export function registerTenants(program: Command): void {
  const tenants = program.command('tenants').description('create and list tenants');

  withAdministration(tenants.command('create <name>').description('make a tenant')).action(
    (name: string, options: AdministrationOptions) =>
      administer(options, async ({ auth }) => {
        const tenant = await auth.createTenant({ name });
        print(options, describeTenant(tenant), [`Created tenant ${tenant.name} with the id ${tenant.id}.`]);
      }),
  );

  withAdministration(tenants.command('list').description('list all tenants')).action((options: AdministrationOptions) =>
    administer(options, async ({ auth }) => {
      const found = (await auth.listTenants()).map(describeTenant);
      const rows = found.map((tenant) => [tenant.id, tenant.name, tenant.timezone]);
      print(options, { tenants: found }, alignedTable(['ID', 'NAME', 'TIME ZONE'], rows));
    }),
  );
}

function describeTenant(tenant: Tenant) {
  return { ...tenant, createdAt: new Date(tenant.createdAt).toISOString() };
}
