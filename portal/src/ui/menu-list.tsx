import { Menu as Base } from '@base-ui/react/menu';
import { Fragment } from 'react';
import { classOf } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { popups } from './popups.ts';

export interface MenuItem {
  label: string;
  icon?: IconName;
  disabled?: boolean;
  /** A line above the item. */
  begins?: boolean;
  onChoose(): void;
}

export interface MenuProps {
  label: string;
  icon?: IconName;
  /** False leaves an item out. */
  items: readonly (MenuItem | false)[];
}

/** The menu and its button, loaded by `Menu` when it is opened for the first time. */
export default function MenuList({ label, icon = 'menu', items }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger className={classOf({ look: 'quiet' }, true)} aria-label={label} title={label}>
        <Icon name={icon} />
      </Base.Trigger>
      <Base.Portal container={popups()}>
        <Base.Positioner className="positioner" align="end" sideOffset={4}>
          <Base.Popup className="popup">
            {items
              .filter((item) => item !== false)
              .map((item) => (
                <Fragment key={item.label}>
                  {item.begins && <Base.Separator className="option-line" />}
                  <Base.Item className="option" disabled={item.disabled} onClick={item.onChoose}>
                    {item.icon && <Icon name={item.icon} />}
                    {item.label}
                  </Base.Item>
                </Fragment>
              ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
