import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { useWords } from '../words.js';
import { usePartNames } from './part-names.js';

type Move = (from: number, to: number) => void;

const Context = createContext<{ readonly move: Move; readonly ids: readonly string[] }>({
  move: () => undefined,
  ids: [],
});

// Screen readers use the buttons, whose names include the position.
const SILENT = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** A list sorted by dragging or by the buttons of `SortableItem`. */
export function Sortable({
  ids,
  onMove,
  label,
  children,
}: {
  readonly ids: readonly string[];
  readonly onMove: Move;
  readonly label: string;
  readonly children: ReactNode;
}) {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  return (
    <Context value={{ move: onMove, ids }}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: '' } }}
        onDragEnd={({ active, over }) => {
          const [from, to] = [ids.indexOf(String(active.id)), ids.indexOf(String(over?.id))];
          if (from !== -1 && to !== -1 && from !== to) onMove(from, to);
        }}
      >
        <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
          <ol className={styles.list} aria-label={label}>
            {children}
          </ol>
        </SortableContext>
      </DndContext>
    </Context>
  );
}

/** `name`: such as `category 1 item 2`. */
export function SortableItem({
  id,
  index,
  name,
  heading = name,
  actions,
  onRemove,
  children,
}: {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  /** Visible name, where the context shows the rest. */
  readonly heading?: string;
  readonly actions?: ReactNode;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const part = usePartNames().inside(name);
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id });
  const node = useRef<HTMLLIElement | null>(null);
  useLayoutEffect(() => {
    // Set by script, because the CSP forbids inline styles.
    const shift = transform === null ? '' : `translate3d(0, ${Math.round(transform.y)}px, 0)`;
    node.current?.style.setProperty('transform', shift);
    node.current?.style.setProperty('transition', transition ?? '');
  }, [transform, transition]);
  return (
    <li
      ref={(element) => {
        node.current = element;
        setNodeRef(element);
      }}
      className={isDragging ? `${styles.item} ${styles.dragged}` : styles.item}
    >
      <div className={styles.itemHead}>
        <span className={styles.handle} aria-hidden="true" {...listeners}>
          <Icon name="grip" />
        </span>
        <span className={styles.itemName} aria-hidden="true">
          {heading}
        </span>
        <div className={styles.itemActions}>
          {actions}
          <MoveButtons index={index} part={part} />
          <Button look="quiet" isIcon aria-label={words.remove(part)} onClick={onRemove}>
            <Icon name="trash" />
          </Button>
        </div>
      </div>
      {children}
    </li>
  );
}

function MoveButtons({ index, part }: { readonly index: number; readonly part: string }) {
  const words = useWords();
  const { move, ids } = useContext(Context);
  const buttons = useRef<Record<'up' | 'down', HTMLButtonElement | null>>({ up: null, down: null });
  const pressed = useRef<'up' | 'down' | null>(null);
  useEffect(() => {
    // Moving the item loses the focus; at either end the pressed button is disabled.
    const direction = pressed.current;
    pressed.current = null;
    if (direction === null) return;
    const [first, second] = [buttons.current[direction], buttons.current[direction === 'up' ? 'down' : 'up']];
    (first?.disabled === true ? second : first)?.focus();
  }, [index]);
  return (['up', 'down'] as const).map((direction) => {
    const isUp = direction === 'up';
    return (
      <Button
        key={direction}
        ref={(button) => {
          buttons.current[direction] = button;
        }}
        look="quiet"
        isIcon
        aria-label={isUp ? words.moveUp(part) : words.moveDown(part)}
        disabled={index === (isUp ? 0 : ids.length - 1)}
        onClick={() => {
          pressed.current = direction;
          move(index, isUp ? index - 1 : index + 1);
        }}
      >
        <Icon name={isUp ? 'up' : 'chevron'} />
      </Button>
    );
  });
}
