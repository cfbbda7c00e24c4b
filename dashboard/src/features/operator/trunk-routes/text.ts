import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // routes-page.tsx
  routeRemoved: (numbers: string, trunk: string) => `The route of ${numbers.toLowerCase()} to ${trunk} was removed.`,
  addRoute: "Add a route",
  routes: "Routes",
  lead: "Which numbers go out on which trunk. The longest prefix that fits a number wins.",
  listTitle: "In the order in which a call tries them",
  loadingRoutes: "Loading the routes",
  noRouteYet: "No route yet",
  emptyList: "Without a route no call goes out on a trunk, and live calls stay on the simulated network.",
  emptyWithoutTrunk: "A route leads to a trunk, and there is none yet.",
  addTrunkFirst: "Add a trunk first",
  fromAFile: "From a file",
  changeRoute: (numbers: string, trunk: string) => `Change the route of ${numbers} to ${trunk}`,
  removeRoute: (numbers: string, trunk: string) => `Remove the route of ${numbers} to ${trunk}`,
  place: (ordinal: number) => {
    if (ordinal === 1) return "Tried first";
    return ordinal === 2 ? "When the first fails" : `Tried as number ${ordinal}`;
  },
  placeWhenNoOther: (place: string) => `${place}, only when no other is left`,
  placeWithShare: (place: string, percent: number) => `${place}, with ${percent}% of calls`,
  allOtherNumbers: "All other numbers",
  routeSaved: "The route was saved.",
  routeAdded: (trunk: string) => `Calls go out on ${trunk} from now on.`,
  changeTitle: "Change the route",
  numbersThatBeginWith: "Numbers that begin with",
  allNumbers: "All numbers",
  prefixHint: "Such as +49. Left empty, all numbers without a route of their own.",
  trunk: "Trunk",
  order: "Order",
  orderHint: "Lower goes first; the next is for when that fails.",
  share: "Share",
  shareHint: "Among routes of the same prefix and order.",
  cancel: "Cancel",
  save: "Save",
  addThisRoute: "Add the route",
};

export type TrunkRoutesText = typeof english;

export const trunkRoutesText = inLanguage("operator/trunk-routes", english);
