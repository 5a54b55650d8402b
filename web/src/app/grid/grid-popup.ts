/** What a grid has opened over itself, and the element it belongs to. */
export type GridPopup =
  | { readonly kind: 'columns'; readonly origin: HTMLElement }
  | { readonly kind: 'export'; readonly origin: HTMLElement }
  | { readonly kind: 'column'; readonly origin: HTMLElement; readonly column: string };

/** Something that a viewer does to a column from its menu. */
export type ColumnAction =
  | { readonly kind: 'sort'; readonly direction: 'asc' | 'desc' | null; readonly add: boolean }
  | { readonly kind: 'move'; readonly by: -1 | 1 }
  | { readonly kind: 'width'; readonly by: number | null }
  | { readonly kind: 'freeze'; readonly on: boolean }
  | { readonly kind: 'hide' };
