import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { LIMITED_ROLES, type LimitedRole, roleLabel } from '../../../api/roles.ts';
import { t } from '../../../language/index.ts';
import { limitsInWords } from '../../../limits/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { SETTINGS } from '../sign-on/providers.ts';

const RoleLimitsDialog = lazyDialog(() => import('./role-limits-dialog.tsx'));

/** The limits of each role in words. */
export function RoleLimits() {
  const query = api.useQuery('get', SETTINGS);
  const [changing, setChanging] = useState<LimitedRole | null>(null);
  const stored = query.data?.roleLimits ?? {};
  if (!query.data) return <QueryState query={query} height={200} />;
  return (
    <>
      <ItemList label={t('What roles may see')}>
        {LIMITED_ROLES.map((role) => {
          const label = roleLabel(role);
          const limits = stored[role];
          return (
            <Item
              key={role}
              title={label}
              end={
                <Button
                  aria-label={t('Change what the role {role} may see', { role: label })}
                  onClick={() => setChanging(role)}
                >
                  {t('Change …')}
                </Button>
              }
            >
              <p className="small muted">{limits ? limitsInWords(limits) : t('All of the workspace')}</p>
            </Item>
          );
        })}
      </ItemList>
      {changing && <RoleLimitsDialog role={changing} stored={stored} onClose={() => setChanging(null)} />}
    </>
  );
}
