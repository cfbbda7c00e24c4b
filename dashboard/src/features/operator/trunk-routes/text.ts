import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // routes-page.tsx
  routeRemoved: (numbers: string, trunk: string) => `The route for ${numbers.toLowerCase()} to ${trunk} was removed.`,
  addRoute: "Add route",
  routes: "Routes",
  lead: "Which trunk calls use for which numbers. The longest prefix that matches a number applies.",
  listTitle: "In the order that calls try them",
  loadingRoutes: "Loading routes",
  noRouteYet: "No routes yet",
  emptyList: "Without a route, calls don’t use any trunk, and live calls stay on the simulated network.",
  emptyWithoutTrunk: "A route leads to a trunk, and there are no trunks yet.",
  addTrunkFirst: "Add a trunk first",
  fromAFile: "From a file",
  changeRoute: (numbers: string, trunk: string) => `Change the route for ${numbers} to ${trunk}`,
  removeRoute: (numbers: string, trunk: string) => `Remove the route for ${numbers} to ${trunk}`,
  place: (ordinal: number) => {
    if (ordinal === 1) return "Tried first";
    return ordinal === 2 ? "Tried if the first fails" : `Tried in position ${ordinal}`;
  },
  placeWhenNoOther: (place: string) => `${place}, only if no other is left`,
  placeWithShare: (place: string, percent: number) => `${place}, for ${percent}% of calls`,
  allOtherNumbers: "All other numbers",
  routeSaved: "The route was saved.",
  routeAdded: (trunk: string) => `Calls now go out on ${trunk}.`,
  changeTitle: "Change route",
  numbersThatBeginWith: "Numbers starting with",
  allNumbers: "All numbers",
  prefixHint: "Such as +49. Leave empty for all numbers without their own route.",
  trunk: "Trunk",
  order: "Order",
  orderHint: "Lower numbers are tried first, higher ones if those fail.",
  share: "Share",
  shareHint: "Among routes with the same prefix and order.",
  cancel: "Cancel",
  save: "Save",
  addThisRoute: "Add route",
};

export type TrunkRoutesText = typeof english;

export const trunkRoutesText = inLanguage("operator/trunk-routes", english);
