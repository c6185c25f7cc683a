import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
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
  const code = (text: string) => <code key={text}>{text}</code>;
  const facts: Fact[] = [
    ['Time', <Time key="time" iso={at} />],
    ['Action', code(action)],
    ['Who', `${actor.label} (${actor.kind})`],
    ...(actor.id === null ? [] : ([['Id of who', code(actor.id)]] as Fact[])),
    ...(target === null ? [] : ([['Target', code(target)]] as Fact[])),
    ...(address === null ? [] : ([['Address', code(address)]] as Fact[])),
    ...(requestId === null ? [] : ([['Request', code(requestId)]] as Fact[])),
    ['Line', code(id)],
  ];
  const who = actor.id ?? actor.label;
  return (
    <Dialog open place="side" title={sentenceOf(line, names)} onClose={onClose}>
      <Facts label="The line" facts={facts} />
      {Object.keys(details).length > 0 && <CodeBlock text={JSON.stringify(details, null, 2)} label="Details" />}
      <div className="dialog-foot">
        <Button onClick={() => setSearch({ actor: who, ...FIRST_PAGE })}>Only by {actor.label}</Button>
        {target !== null && <Button onClick={() => setSearch({ target, ...FIRST_PAGE })}>Only on this target</Button>}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
