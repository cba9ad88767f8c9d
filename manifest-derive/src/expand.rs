//! From the model to code. Cannot fail.

use crate::model::{Fact, Field, Model, Role};
use crate::settings::{Ledger, Settings};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Path, Type};

/// The implementation of a valid struct.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let Model { name, generics, root, settings, fields } = model;
    let kinds: Vec<_> = fields.iter().filter_map(kind).collect();
    let names: Vec<_> = (0..kinds.len()).map(kind_name).collect();
    let required_kinds = required_kinds(fields, root);
    let plan = plan(settings, root);
    let policy = plan.as_ref().map(|_| {
        quote! { #[inline] fn policy() -> #root::Policy { #root::__private::Plan::policy(__MANIFEST_PLAN) } }
    });
    let attempts_name = Ident::new("__MANIFEST_ATTEMPTS", call_site());
    let attempts = settings.attempts.as_ref().map(|_| {
        quote! { const ATTEMPTS: ::core::option::Option<::core::primitive::u32> = #attempts_name; }
    });
    let attempts_check = settings.attempts.iter().map(|attempts| {
        let call = at(attempts.span(), quote! { #root::__private::attempts });
        quote_spanned! {attempts.span()=>
            const #attempts_name: ::core::option::Option<::core::primitive::u32> = #call(#attempts);
        }
    });
    // An associated constant is evaluated only where it is used, these always.
    let checks = plan.iter().map(|plan| quote! { const __MANIFEST_PLAN: #root::__private::Plan = #plan; });
    let checks = checks.chain(attempts_check).chain(names.iter().zip(&kinds).map(|(name, kind)| {
        let class = at(kind.span(), quote! { #root::__private::class });
        quote_spanned! {kind.span()=> const #name: #root::Class = #class(#kind); }
    }));
    let mut kind_names = names.iter();
    let steps = fields.iter().map(|field| {
        let kind = kind(field).and_then(|_| kind_names.next());
        step(field, kind, root)
    });
    let embed = embed(fields, root);
    let mut generics = (*generics).clone();
    let parameters: Vec<_> = generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    // A bound on what holds the struct itself would ask for what is being given.
    let itself = std::slice::from_ref(*name);
    let bounded: Vec<_> = fields
        .iter()
        .filter(|field| mentions(field.ty, &parameters) && !mentions(field.ty, itself))
        .collect();
    if !bounded.is_empty() {
        let clause = generics.make_where_clause();
        for Field { ty, role, .. } in bounded {
            if let Some(bound) = bound(role) {
                clause.predicates.push(syn::parse_quote!(#ty: #root::#bound));
            }
        }
    }
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote! {
        const _: () = {
            #(#checks)*

            #[automatically_derived]
            impl #impl_generics #root::Manifest for #name #type_generics #clause {
                #attempts

                #required_kinds

                #policy

                #[inline]
                fn declare<'__manifest>(&'__manifest self, to: &mut #root::Declaration<'__manifest>) {
                    #(#steps)*
                }

                #embed
            }
        };
    }
}

/// An implementation for a struct with mistakes, so that its uses are no mistakes too.
pub(crate) fn fallback(model: &Model<'_>) -> TokenStream {
    let Model { name, generics, root, .. } = model;
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #root::Manifest for #name #type_generics #clause {
                fn declare<'__manifest>(&'__manifest self, _: &mut #root::Declaration<'__manifest>) {}
            }
        };
    }
}

/// The policy of the struct, each number at its place in the source; `None` for the default.
fn plan(settings: &Settings, root: &Path) -> Option<TokenStream> {
    let Settings { policy, floor, provenance, orphans, depth, recall, order, conflicts, ledger, .. } =
        settings;
    let mut steps: Vec<(Span, &str, TokenStream)> = Vec::new();
    let number = |number: &Option<Expr>| number.as_ref().map(|n| (n.span(), n.to_token_stream()));
    let bounds = |bounds: &Option<[Expr; 2]>| {
        bounds.as_ref().map(|[promote, warning]| (promote.span(), quote! { #promote, #warning }))
    };
    let ledger = match ledger {
        Some(Ledger::Bytes(bytes)) => Some((bytes.span(), "ledger_bytes", bytes.to_token_stream())),
        Some(Ledger::Share(share)) => Some((share.span(), "ledger_share", share.to_token_stream())),
        None => None,
    };
    let values = [
        ("floor", number(floor)),
        ("recall", number(recall)),
        ("depth", number(depth)),
        ("provenance", bounds(provenance)),
        ("orphans", bounds(orphans)),
        ("order", order.as_ref().map(|order| (call_site(), quote! { #root::Order::#order }))),
        ("conflicts", conflicts.as_ref().map(|rule| (call_site(), quote! { #root::ConflictRule::#rule }))),
        ("observe", settings.observe.then(|| (call_site(), quote! { true }))),
    ];
    steps.extend(
        values.into_iter().filter_map(|(name, value)| value.map(|(span, value)| (span, name, value))),
    );
    steps.extend(ledger);
    if policy.is_none() && steps.is_empty() {
        return None;
    }
    if let (Some(depth), Some(_)) = (depth, recall) {
        steps.push((depth.span(), "afforded", TokenStream::new()));
    }
    let preset = policy.clone().unwrap_or_else(|| Ident::new("Remediation", call_site()));
    let mut plan = quote! { #root::__private::Plan::of(#root::Preset::#preset) };
    for (span, name, value) in steps {
        let name = Ident::new(name, span);
        let step = at(span, quote! { #root::__private::Plan::#name });
        let comma = (!value.is_empty()).then(|| quote! { , });
        plan = quote_spanned! {span=> #step(#plan #comma #value) };
    }
    Some(plan)
}

/// The same tokens at another place: a call is reported where its first and its last token stand.
fn at(span: Span, tokens: TokenStream) -> TokenStream {
    let place = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.into_iter().map(place).collect()
}

fn call_site() -> Span {
    Span::call_site()
}

/// Hands one field over; a type that cannot hold what it should is reported at the type.
fn step(field: &Field<'_>, kind: Option<&Ident>, root: &Path) -> TokenStream {
    let Field { member, ty, role } = field;
    let (call, to) = match role {
        Role::Text => (quote! { texts::<#ty> }, quote! { to }),
        Role::Fact(fact) => {
            let how = if fact.display {
                quote! { displayed::<#ty, _> }
            } else {
                quote! { facts::<#ty> }
            };
            let required = fact.required.then(|| quote! { .required(true) });
            let kind = kind.map(|kind| quote! { .kind(#kind) });
            let subject = fact.subject.as_ref().map(|subject| quote! { .subject(#subject) });
            (how, quote! { &mut to.values() #required #kind #subject })
        }
        Role::Nested => (quote! { nested::<#ty> }, quote! { to }),
        Role::Claims => (quote! { claims::<#ty> }, quote! { to }),
        Role::Conflicts => (quote! { conflicts::<#ty> }, quote! { to }),
        Role::Drops => (quote! { drops::<#ty> }, quote! { to }),
        Role::Children => (quote! { children::<#ty> }, quote! { to }),
        Role::Manifest => (quote! { manifest::<#ty> }, quote! { to }),
    };
    quote_spanned! {ty.span()=> #root::__private::#call(&self.#member, #to); }
}

/// Puts a manifest into the field for it; `None` if there is none.
fn embed(fields: &[Field<'_>], root: &Path) -> Option<TokenStream> {
    let Field { member, ty, .. } = fields.iter().find(|field| matches!(field.role, Role::Manifest))?;
    Some(quote! {
        #[inline]
        fn embed(&mut self, manifest: &[::core::primitive::u8]) -> ::core::primitive::bool {
            // What holds none is told where the field is handed over.
            #[allow(unused_imports)]
            use #root::__private::NoManifest as _;
            #root::__private::Opaque::<#ty>(&mut self.#member).embed(manifest)
        }
    })
}

/// The trait that a type must implement where it mentions a type parameter. A value that prints as itself or in a list is
/// told by inference, so the bound stays the caller's.
fn bound(role: &Role) -> Option<Ident> {
    let name = match role {
        Role::Text => "TextField",
        Role::Fact(Fact { display: true, .. }) => return None,
        Role::Fact(_) => "FactField",
        Role::Nested => "NestedField",
        Role::Claims => "ClaimsField",
        Role::Conflicts => "ConflictsField",
        Role::Drops => "DropsField",
        Role::Children => "ChildrenField",
        Role::Manifest => "ManifestField",
    };
    Some(Ident::new(name, call_site()))
}

fn kind<'f>(field: &'f Field<'_>) -> Option<&'f syn::LitStr> {
    match &field.role {
        Role::Fact(fact) => fact.kind.as_ref(),
        _ => None,
    }
}

fn kind_name(number: usize) -> Ident {
    format_ident!("__MANIFEST_KIND_{number}")
}

/// The kinds that the struct and what is nested in it require; `None` if it says nothing of them.
fn required_kinds(fields: &[Field<'_>], root: &Path) -> Option<TokenStream> {
    let kinds = fields.iter().filter(|field| kind(field).is_some()).enumerate();
    let own: Vec<_> = kinds
        .filter(|(_, field)| matches!(field.role, Role::Fact(Fact { required: true, .. })))
        .map(|(number, _)| kind_name(number))
        .collect();
    let nested: Vec<_> = fields
        .iter()
        .filter(|field| matches!(field.role, Role::Nested))
        .map(|Field { ty, .. }| quote! { #root::__private::Nested::<#ty>::TYPE.add_kinds(kinds); })
        .collect();
    if own.is_empty() && nested.is_empty() {
        return None;
    }
    // What is no summary is told where the field is handed over.
    let scope = (!nested.is_empty()).then(|| {
        quote! { #[allow(unused_imports)] use #root::__private::NoSummary as _; }
    });
    Some(quote! {
        #[inline]
        fn required_kinds(kinds: &mut #root::Kinds) {
            #scope
            #(kinds.add(#own);)*
            #(#nested)*
        }
    })
}

/// Whether a type mentions one of these parameters.
fn mentions(ty: &Type, parameters: &[Ident]) -> bool {
    fn any(tokens: TokenStream, parameters: &[Ident]) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => parameters.contains(&ident),
            TokenTree::Group(group) => any(group.stream(), parameters),
            _ => false,
        })
    }
    any(ty.to_token_stream(), parameters)
}
