//! Inputs that were the same in all calls, and what could be tried instead.

use std::collections::BTreeSet;

use jury_explain::{Member, Place, PropertyName, Unvaried, shown_value, variant};

use super::{Findings, member};
use crate::explain::bench::Evidence;
use crate::explain::survivors::Unit;

/// Properties that never varied, shown for one mutant.
const UNVARIED_SHOWN: usize = 5;
/// Calls between a method and one that reads a field.
const STEPS_TO_A_READER: usize = 3;

impl Findings<'_> {
    /// What was the same in all calls of all tests, the result first. A field counts where the method
    /// reads it: another value of it would make no difference otherwise.
    pub(super) fn unvaried(&self, unit: &Unit<'_>, evidence: &Evidence<'_>) -> Vec<Unvaried> {
        let place = Place::Call(unit.number);
        let method = member(unit.method);
        let names: BTreeSet<&str> = evidence
            .original
            .iter()
            .flat_map(|test| test.names(place))
            .collect();
        let mut unvaried: Vec<Unvaried> = names
            .into_iter()
            .filter_map(|name| {
                let values: BTreeSet<&str> = evidence
                    .original
                    .iter()
                    .flat_map(|test| test.values_of(place, name))
                    .collect();
                let property = PropertyName::read(name);
                let matters = self.matters(&method, &property);
                match values.iter().collect::<Vec<_>>()[..] {
                    [only] if matters && self.is_telling(&method, &property, only) => {
                        Some(Unvaried {
                            value: shown_value(&property.aspect, only),
                            variant: (property.role != "result")
                                .then(|| self.variant(&property, only))
                                .flatten(),
                            role: property.role,
                            field: property.field,
                            aspect: property.aspect,
                        })
                    }
                    _ => None,
                }
            })
            .collect();
        unvaried.sort_by_key(|each| {
            let is_value = each.aspect != "null";
            (each.role != "result", !is_value, each.field.is_some())
        });
        unvaried.truncate(UNVARIED_SHOWN);
        unvaried
    }

    /// Whether it says something that a property never varied. That something is there is worth saying only
    /// where the method asks whether it is.
    fn is_telling(&self, method: &Member, property: &PropertyName, value: &str) -> bool {
        match property.aspect.as_str() {
            "value" | "size" | "length" => true,
            "null" if property.field.is_none() && !method.takes_object(&property.role) => false,
            "null" if value == "true" => true,
            "null" => {
                let is_argument = property.argument().is_some() && property.field.is_none();
                is_argument && self.graph.asks_for_null(method)
            }
            _ => false,
        }
    }

    /// Another input than the one that was always given.
    fn variant(&self, property: &PropertyName, value: &str) -> Option<String> {
        match (property.aspect.as_str(), value) {
            ("null", "true") => Some("not null".to_owned()),
            ("null", _) => Some("null".to_owned()),
            (aspect, value) => variant(aspect, value).or_else(|| {
                let constant = value.strip_prefix('E').filter(|_| aspect == "value")?;
                self.graph.other_constant(constant)
            }),
        }
    }

    /// Whether a method may read what a property is of.
    fn matters(&self, method: &Member, property: &PropertyName) -> bool {
        let Some(field) = property.outermost_field() else {
            return true;
        };
        let class = method.class_of(&property.role);
        let field = (class.as_deref(), field);
        property.role == "result" || self.graph.leads_to_reader(method, field, STEPS_TO_A_READER)
    }
}
