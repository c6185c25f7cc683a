import { BackupDownloads } from '../../core/operation/backup.ts';
import { DataReports } from '../../core/operation/data.ts';
import { SystemReports } from '../../core/operation/system.ts';
import type { StagedBackup } from '../../core/services.ts';
import type { Exposition } from '../../metrics/exposition.ts';
import type { OpenStores } from '../open-stores.ts';
import { makeBackupMaker } from './backup.ts';
import { type StorageSources, storageReport } from './storage-report.ts';
import { OwnDoctor, systemFacts } from './system.ts';

interface OperationParts extends OpenStores, StorageSources {
  stored: ConstructorParameters<typeof DataReports>[0]['stored'];
  stage(): Promise<StagedBackup>;
  ready(): Promise<unknown>;
  expose(): Promise<Exposition>;
}

/** Reports and backups for whoever operates the installation in the portal. */
export function openOperation(parts: OperationParts) {
  const { config, tenants, audit, effects, eventStore, stored, stage, log } = parts;
  const doctor = new OwnDoctor(parts);
  const backupDownloads = new BackupDownloads({
    ...{ tenants, audit, effects, maker: makeBackupMaker({ config, stage }) },
    onError: (error) => log.error({ err: error }, 'a backup failed'),
  });
  const measure = (tenantId: string) => storageReport(parts, tenantId);
  return {
    dataReports: new DataReports({ tenants, effects, stored, measure, events: eventStore }),
    systemReports: new SystemReports({
      ...{ tenants, effects },
      facts: () => systemFacts(parts),
      examine: (signal) => doctor.examine(signal),
    }),
    backupDownloads,
    close: async () => {
      await backupDownloads.close();
      await doctor.close();
    },
  };
}
