import { useState } from 'react';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy-button.tsx';
import { ConfirmDialog, Dialog, DialogFoot } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { announce } from '../../ui/toast.tsx';
import { CardBody, CardFoot, type CardQuery } from './card-content.tsx';
import { type Card, type Tab, useChanges } from './changes.ts';
import type { PageRange } from './page-range.ts';
import { NO_TAB, questionForMcp } from './state.ts';

export type CardDialogName = 'full' | 'tab' | 'delete' | 'question';

interface CardDialogProps {
  name: CardDialogName;
  card: Card;
  tabs: readonly Tab[];
  query: CardQuery;
  range: PageRange;
  onClose(): void;
}

export default function CardDialog({ name, card, tabs, query, range, onClose }: CardDialogProps) {
  switch (name) {
    case 'full':
      return (
        <Dialog open onClose={onClose} title={card.title} place="full">
          <CardBody query={query} isTable={false} />
          <CardFoot query={query} range={range} open />
          <Button className="button close-full" onClick={onClose}>
            {t('Close')}
          </Button>
        </Dialog>
      );
    case 'tab':
      return <TabDialog card={card} tabs={tabs} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog card={card} onClose={onClose} />;
    case 'question':
      return (
        <Dialog
          open
          onClose={onClose}
          title={t('Question for MCP')}
          description={t('The browser does not allow copying here. Select the text and copy it.')}
        >
          <CodeBlock text={questionForMcp(card)} label={t('Question')} />
        </Dialog>
      );
  }
}

/** Offers the tabs of the card's agent: a tab holds cards of one agent. */
function TabDialog({ card, tabs, onClose }: Pick<CardDialogProps, 'card' | 'tabs' | 'onClose'>) {
  const { putInTab } = useChanges();
  const [chosen, setChosen] = useState(card.tabId ?? NO_TAB);
  const own = tabs.filter(({ agentId }) => agentId === card.agentId);
  const options = [...own.map(({ id, name }) => ({ value: id, label: name })), { value: NO_TAB, label: t('No tab') }];
  const move = async () => {
    await putInTab(card.id, chosen === NO_TAB ? null : chosen);
    announce(t('Moved to {tab}', { tab: options.find(({ value }) => value === chosen)!.label }));
  };
  return (
    <Dialog open onClose={onClose} title={t('Move to a tab')} description={card.title}>
      <SelectField label={t('Tab')} value={chosen} options={options} onChoose={setChosen} />
      <DialogFoot act={t('Move')} onAct={move} onClose={onClose} />
    </Dialog>
  );
}

function DeleteDialog({ card, onClose }: Pick<CardDialogProps, 'card' | 'onClose'>) {
  const { deleteCard } = useChanges();
  const remove = async () => {
    await deleteCard(card.id);
    announce(t('Card deleted'));
  };
  return (
    <ConfirmDialog
      title={t('Delete the card?')}
      description={t('This deletes “{title}” for all users and agents. Its events are kept.', { title: card.title })}
      act={t('Delete')}
      onAct={remove}
      onClose={onClose}
    />
  );
}
