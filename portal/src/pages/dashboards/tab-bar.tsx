import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/errors.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { announce } from '../../ui/toast.tsx';
import { type Card, type Tab, useChanges } from './changes.ts';
import { reordered, type ShownTab } from './state.ts';
import type { TabDialogName } from './tab-dialogs.tsx';

const TabDialog = lazyDialog(() => import('./tab-dialogs.tsx'));
const ShareDialog = lazyDialog(() => import('./share/dialog.tsx'));

interface TabBarProps {
  shown: readonly ShownTab<Card>[];
  chosen: ShownTab<Card> | undefined;
  tabs: readonly Tab[];
  agent: string | undefined;
  mayChange: boolean;
  onChoose(id: string): Promise<void>;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** The dashboard's tabs and their actions. */
export function TabBar({ shown, chosen, tabs, agent, mayChange, onChoose, children }: TabBarProps) {
  const [dialog, setDialog] = useState<TabDialogName | 'share' | null>(null);
  const { changeTabs } = useChanges();
  const { can } = useSession();
  const navigate = useNavigate();
  const place = tabs.findIndex(({ id }) => id === chosen?.id);
  const tab = tabs[place];

  const move = async (step: -1 | 1) => {
    if (!tab) return;
    try {
      await changeTabs(reordered(tabs, tab.id, step));
      announce(step < 0 ? t('Tab moved left') : t('Tab moved right'));
    } catch (error) {
      announce(messageOf(error));
    }
  };

  const tools = mayChange && (
    <>
      {tab && (
        <Menu
          label={t('Actions of the tab {name}', { name: tab.name })}
          items={[
            { label: t('Rename'), icon: 'edit', onChoose: () => setDialog('rename') },
            { label: t('Move left'), icon: 'left', disabled: place <= 0, onChoose: () => void move(-1) },
            { label: t('Move right'), icon: 'right', disabled: place >= tabs.length - 1, onChoose: () => void move(1) },
            { label: t('Share …'), icon: 'share', onChoose: () => setDialog('share') },
            can('alerts:write') && {
              label: t('Send by schedule'),
              icon: 'bell',
              onChoose: () => void navigate({ to: '/digests/new-digest', search: { tab: tab.id } }),
            },
            { label: t('Delete'), icon: 'trash', begins: true, onChoose: () => setDialog('delete') },
          ]}
        />
      )}
      <IconButton icon="add" label={t('New tab')} onClick={() => setDialog('new')} />
    </>
  );

  return (
    <>
      {chosen ? (
        <Tabs
          label={t('Tabs')}
          value={chosen.id}
          tabs={shown.map(({ id, label }) => ({ value: id, label }))}
          onChoose={(id) => void onChoose(id)}
          beside={tools}
        >
          {children}
        </Tabs>
      ) : (
        children
      )}
      {dialog === 'share' && tab && <ShareDialog tab={tab} onClose={() => setDialog(null)} />}
      {dialog && dialog !== 'share' && (
        <TabDialog
          name={dialog}
          tab={tab}
          cards={chosen?.cards.length ?? 0}
          agent={agent}
          onDone={onChoose}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
