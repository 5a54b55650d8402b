import {
  type Binding,
  ChangeDetectionStrategy,
  Component,
  effect,
  inject,
  input,
  output,
  type Type,
  ViewContainerRef,
} from '@angular/core';

/** A component whose code is a bundle of its own, and what it is bound to. */
export interface LazyPart {
  readonly load: () => Promise<Type<unknown>>;
  readonly bindings: Binding[];
}

/** Puts a component beside itself, once its code is loaded, as long as there is one to show. */
@Component({
  selector: 'tg-lazy-part',
  template: '',
  styles: ':host { display: none; }',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LazyPartComponent {
  private readonly container = inject(ViewContainerRef);
  /** What to show; another one replaces it. */
  readonly part = input.required<LazyPart | null>();
  /** The code cannot be loaded, as when the server is away. */
  readonly failed = output();

  constructor() {
    effect((onCleanup) => {
      const part = this.part();
      let over = false;
      onCleanup(() => {
        over = true;
        this.container.clear();
      });
      part?.load().then(
        (type) => over || this.container.createComponent(type, { bindings: part.bindings }),
        () => over || this.failed.emit(),
      );
    });
  }
}
