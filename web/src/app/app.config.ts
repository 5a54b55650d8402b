import { type ApplicationConfig, provideZonelessChangeDetection } from '@angular/core';
import {
  provideRouter,
  withComponentInputBinding,
  withHashLocation,
  withNavigationErrorHandler,
  withRouterConfig,
} from '@angular/router';
import { routes } from './app.routes';
import { provideAdoptedStyles } from './shell/adopted-styles.service';
import { reloadPage } from './session/reload-page';

/** What the page runs with: no zone, and addresses after the # since the server knows only one page. */
export const appConfig: ApplicationConfig = {
  providers: [
    provideZonelessChangeDetection(),
    provideAdoptedStyles(),
    provideRouter(
      routes,
      withHashLocation(),
      withComponentInputBinding(),
      // A page that cannot be loaded while the server is away is no error; one stays where one is.
      withRouterConfig({ resolveNavigationPromiseOnError: true }),
      withNavigationErrorHandler(({ url }) => void reloadPage(url, window)),
    ),
  ],
};
