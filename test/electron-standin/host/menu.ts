import type { MenuItemConstructorOptions } from "electron";
import { app } from "./app.ts";
import { BrowserWindow } from "./window.ts";

/** The context menus that were opened, for the test. */
export const openedMenus: Menu[] = [];

type Click = (item: MenuItem, window: BrowserWindow | undefined, event: object) => void;

export class MenuItem {
  readonly id: string;
  readonly label: string;
  readonly role: string | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  readonly #click: Click | undefined;

  constructor(options: MenuItemConstructorOptions) {
    const { id = "", label = "", role, accelerator, submenu, click } = options;
    this.id = id;
    this.label = label;
    this.role = role;
    this.accelerator = accelerator ?? undefined;
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : undefined;
    this.type = options.type ?? (submenu ? "submenu" : "normal");
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.#click = click as Click | undefined;
  }

  /** Clicks the item like a user, for the focused window. */
  click(): void {
    if (!this.enabled) throw new Error(`The menu item “${this.label}” is disabled.`);
    const window = BrowserWindow.getFocusedWindow() ?? undefined;
    if (this.#click) this.#click(this, window, {});
    else if (this.role === "quit") app.quit();
    else if (this.role === "close") window?.close();
    else if (this.role === "minimize") window?.minimize();
    else if (this.role === "paste") void window?.webContents.paste();
    else if (this.role === "reload") window?.webContents.reload();
    else throw new Error(`The stand-in does not support the menu item “${this.label || this.role}”.`);
  }
}

let applicationMenu: Menu | null = null;

export class Menu {
  readonly items: readonly MenuItem[];

  constructor(items: readonly MenuItem[] = []) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): Menu {
    return new Menu(template.map((options) => new MenuItem(options)));
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  popup(): void {
    openedMenus.push(this);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}
