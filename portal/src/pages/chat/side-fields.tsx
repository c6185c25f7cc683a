import { t } from '../../language/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';
import { useModels } from '../settings/providers/use-models.ts';
import { withoutSide, withSide } from './state/conversation.ts';
import { firstSide, keyOf, type Side, type Source, sourceOf } from './state/sides.ts';
import type { ChatActions } from './use-chat.ts';

const MOST_SIDES = 2;

interface SideFieldsProps {
  sides: readonly Side[];
  sources: readonly Source[];
  isRunning: boolean;
  change: ChatActions['change'];
}

/** The models that answer: one, or two beside each other. */
export function SideFields({ sides, sources, isRunning, change }: SideFieldsProps) {
  const set = (index: number, side: Side) => change((before) => ({ ...before, sides: before.sides.with(index, side) }));
  const running = isRunning ? t('Stop the answer first.') : undefined;
  return (
    <div className="chat-sides">
      {sides.map((side, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a side is its place
        <fieldset key={index} className="chat-side panel padded">
          <legend className="visually-hidden">
            {sides.length === 1 ? t('Model') : t('Model {number}', { number: index + 1 })}
          </legend>
          <OneSide side={side} sources={sources} onChange={(changed) => set(index, changed)} />
          {sides.length > 1 && (
            <IconButton
              icon="close"
              label={t('Remove model {number}', { number: index + 1 })}
              disabled={isRunning}
              onClick={() => change((before) => withoutSide(before, index))}
            />
          )}
        </fieldset>
      ))}
      {sides.length < MOST_SIDES && (
        <Button
          icon="add"
          reason={running}
          onClick={() => change((before) => withSide(before, firstSide(other(sources, sides))))}
        >
          {t('Compare with another model')}
        </Button>
      )}
    </div>
  );
}

/** A source that answers no side yet, if there is one. */
function other(sources: readonly Source[], sides: readonly Side[]): Source {
  return sources.find((source) => !sides.some((side) => keyOf(side) === keyOf(source))) ?? sources[0]!;
}

interface OneSideProps {
  side: Side;
  sources: readonly Source[];
  onChange(side: Side): void;
}

function OneSide({ side, sources, onChange }: OneSideProps) {
  const { vendor, name, model } = side;
  const { data } = useModels({ name, vendor });
  const known = sources.map((source) => ({ value: keyOf(source), label: source.label }));
  const isGone = sourceOf(sources, side) === undefined;
  const gone = { value: keyOf(side), label: t('{name} (not configured any more)', { name: name ?? vendor }) };
  const choose = (key: string) => {
    const source = sources.find((one) => keyOf(one) === key);
    if (source) onChange(firstSide(source));
  };
  return (
    <>
      <SelectField
        label={t('Provider')}
        value={keyOf(side)}
        options={isGone ? [gone, ...known] : known}
        onChoose={choose}
      />
      <Combobox
        label={t('Model')}
        value={model}
        suggestions={(data?.models ?? []).map(({ id, name: title }) => ({
          value: id,
          ...(title && { title: id, detail: title }),
        }))}
        placeholder={t('A name that the provider knows')}
        onChange={(text) => onChange({ ...side, model: text })}
      />
    </>
  );
}
