import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { FIRST_PAGE } from './filters.tsx';
import { type Line, type Names, sentenceOf } from './words.ts';

interface LineDialogProps {
  line: Line;
  names: Names;
  onClose(): void;
}

/** A line with everything that it has. */
export default function LineDialog({ line, names, onClose }: LineDialogProps) {
  const setSearch = useSetSearch();
  const { id, at, actor, action, target, details, address, requestId } = line;
  const code = (text: string | null) => text !== null && <code>{text}</code>;
  const facts = {
    [t('Time')]: <Time iso={at} />,
    [t('Action')]: code(action),
    [t('Who')]: `${actor.label} (${actor.kind})`,
    [t('Id of who')]: code(actor.id),
    [t('Target|in the audit log')]: code(target),
    [t('Address')]: code(address),
    [t('Request')]: code(requestId),
    [t('Line')]: code(id),
  };
  const who = actor.id ?? actor.label;
  return (
    <Dialog open place="side" title={sentenceOf(line, names)} onClose={onClose}>
      <Facts label={t('The line')} facts={facts} />
      {Object.keys(details).length > 0 && <CodeBlock text={JSON.stringify(details, null, 2)} label={t('Details')} />}
      <div className="dialog-foot">
        <Button onClick={() => setSearch({ actor: who, ...FIRST_PAGE })}>
          {t('Only by {who}', { who: actor.label })}
        </Button>
        {target !== null && (
          <Button onClick={() => setSearch({ target, ...FIRST_PAGE })}>{t('Only on this target')}</Button>
        )}
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}
